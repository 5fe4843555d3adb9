// A matrix of positions against positions: the value under the pointer, and all pairs as far apart.
const readout = document.getElementById('readout');
const all = { from: 0, to: data.rows - 1 };
const cursor = { row: 0, column: Math.min(4, data.columns - 1) };
const left = 46, right = 62, below = 52;  // pixels around the matrix
let box, cell;

function tell() {
  const apart = Math.abs(cursor.row - cursor.column);
  const pairs = [];
  for (let p = 0; p + apart < data.rows; ++p) pairs.push(valueAt(p, p + apart));
  const low = Math.min(...pairs), high = Math.max(...pairs);
  const others = high - low < 1e-12
    ? 'have the same value'
    : `differ by up to ${shown(high - low)}`;
  readout.textContent = `positions ${cursor.row} and ${cursor.column}, ${apart} apart: ` +
    `${data.valueTitle} ${shown(valueAt(cursor.row, cursor.column))}` +
    (pairs.length > 1 ? `; all ${pairs.length} pairs ${apart} apart ${others}` : '');
}

function draw() {
  const size = prepare((width) => width - left - right + below, 560 + left + right);
  box = frame(size, right);
  cell = drawMap(box, all, all);
  const apart = cursor.column - cursor.row;
  for (let p = 0; p < data.rows; ++p)  // the diagonal: every pair as far apart
    if (p + apart >= 0 && p + apart < data.rows)
      outline(box.left + (p + apart) * cell.wide + 1, box.top + p * cell.high + 1, cell.wide - 2,
              cell.high - 2, 1);
  outline(box.left + cursor.column * cell.wide, box.top + cursor.row * cell.high, cell.wide,
          cell.high);
  tell();
}

function go(row, column) {
  cursor.row = clamp(row, 0, data.rows - 1);
  cursor.column = clamp(column, 0, data.columns - 1);
  draw();
}

function point(event) {
  const { x, y } = placeOf(event);
  go(Math.floor((y - box.top) / cell.high), Math.floor((x - box.left) / cell.wide));
}

canvas.addEventListener('pointermove', point);
canvas.addEventListener('pointerdown', point);
onArrows((down, right) => go(cursor.row + down, cursor.column + right));
begin(draw);
