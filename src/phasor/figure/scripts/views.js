// An encoding as a heatmap or as waves, for the positions and dimensions that the sliders choose.
const readout = document.getElementById('readout');
const positions = { from: 0, to: data.rows - 1 };
const dimensions = { from: 0, to: data.columns - 1 };
const cursor = { position: 0, dimension: 0 };
const dashes = [[], [7, 4], [2, 3], [10, 3, 2, 3], [4, 2], [12, 5]];
let box, cell;

const asWaves = () => document.getElementById('waves').checked;

// At most six of the chosen dimensions, evenly spread: more lines cannot be told apart.
function drawn() {
  const count = dimensions.to - dimensions.from + 1, lines = Math.min(count, 6);
  return Array.from({ length: lines }, (_, i) =>
    dimensions.from + (lines > 1 ? Math.round(i * (count - 1) / (lines - 1)) : 0));
}

const across = (position) => box.left + (position - positions.from) /
  Math.max(positions.to - positions.from, 1) * box.width;
const upwards = (value) => box.bottom - (value - data.low) / (data.high - data.low) * box.height;

function drawAxes() {
  const wide = box.width / Math.max(positions.to - positions.from, 1);
  pen.lineWidth = 1;
  pen.strokeStyle = grid;
  for (let position = positions.from; position <= positions.to; position += stepFor(wide, 24)) {
    pen.strokeRect(across(position), box.top, 0, box.height);
    text(position, across(position), box.bottom + 12);
  }
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const value = data.low + share * (data.high - data.low);
    pen.strokeRect(box.left, upwards(value), box.width, 0);
    text(+value.toFixed(2), box.left - 6, upwards(value), 'right');
  }
  text(data.rowTitle, (box.left + box.right) / 2, box.bottom + 32);
}

function drawWaves() {
  drawAxes();
  const places = [];
  drawn().forEach((dimension, i) => {
    pen.strokeStyle = data.colours[i];
    pen.lineWidth = dimension === cursor.dimension ? 3.5 : 2;
    pen.setLineDash(dashes[i]);
    pen.beginPath();
    for (let p = positions.from; p <= positions.to; ++p)
      pen.lineTo(across(p), upwards(valueAt(p, dimension)));
    pen.stroke();
    pen.setLineDash([]);
    const y = upwards(valueAt(positions.to, dimension));
    places.push({ dimension, colour: data.colours[i], y });
  });
  places.sort((a, b) => a.y - b.y);
  places.forEach((place, i) => {  // labels keep a line's height apart
    place.at = i ? Math.max(place.y, places[i - 1].at + 15) : Math.max(place.y, box.top + 6);
  });
  for (let i = places.length - 1, below = box.bottom + 9; i >= 0; below = places[i--].at)
    places[i].at = Math.min(places[i].at, below - 15);
  for (const place of places) {
    pen.strokeStyle = place.colour;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.moveTo(box.right + 1, place.y);
    pen.lineTo(box.right + 12, place.at);
    pen.stroke();
    text(`dim ${place.dimension}`, box.right + 16, place.at, 'left');
  }
  pen.beginPath();
  pen.arc(across(cursor.position), upwards(valueAt(cursor.position, cursor.dimension)), 5, 0, 7);
  pen.fillStyle = '#000000';
  pen.fill();
}

function tell() {
  const { position, dimension } = cursor;
  const lines = drawn();
  const left = asWaves() && lines.length < dimensions.to - dimensions.from + 1
    ? `; the waves drawn are ${lines.join(', ')}` : '';
  readout.textContent = `position ${position}, dimension ${dimension} ` +
    `(${dimension % 2 ? 'cosine' : 'sine'} of pair ${Math.floor(dimension / 2)}): ` +
    `${shown(valueAt(position, dimension))}${left}`;
}

function keepInside() {
  cursor.position = clamp(cursor.position, positions.from, positions.to);
  cursor.dimension = clamp(cursor.dimension, dimensions.from, dimensions.to);
  if (!asWaves()) return;
  const off = (dimension) => Math.abs(dimension - cursor.dimension);
  cursor.dimension = drawn().reduce((best, next) => off(next) < off(best) ? next : best);
}

function draw() {
  keepInside();
  const size = prepare((width) => clamp(0.62 * width, 300, 520));
  box = frame(size, asWaves() ? 66 : 62);
  if (asWaves()) {
    drawWaves();
  } else {
    cell = drawMap(box, positions, dimensions);
    outline(box.left + (cursor.dimension - dimensions.from) * cell.wide,
            box.top + (cursor.position - positions.from) * cell.high, cell.wide, cell.high);
  }
  tell();
}

function point(event) {
  const { x, y } = placeOf(event);
  if (asWaves()) {
    const share = (x - box.left) / box.width;
    cursor.position = Math.round(positions.from + share * (positions.to - positions.from));
    cursor.position = clamp(cursor.position, positions.from, positions.to);
    const off = (dimension) => Math.abs(upwards(valueAt(cursor.position, dimension)) - y);
    cursor.dimension = drawn().reduce((best, next) => off(next) < off(best) ? next : best);
  } else {
    cursor.position = positions.from + Math.floor((y - box.top) / cell.high);
    cursor.dimension = dimensions.from + Math.floor((x - box.left) / cell.wide);
  }
  draw();
}

// In the heatmap positions run downwards, in the waves to the right.
onArrows((down, right) => {
  if (asWaves()) {
    const lines = drawn();
    cursor.position += right;
    cursor.dimension = lines[clamp(lines.indexOf(cursor.dimension) + down, 0, lines.length - 1)];
  } else {
    cursor.position += down;
    cursor.dimension += right;
  }
  draw();
});

// Two sliders for the ends of a range; one pushes the other along.
function slide(range, name) {
  const from = document.getElementById(`${name}-from`), to = document.getElementById(`${name}-to`);
  const show = (slider) => {
    document.getElementById(`${slider.id}-value`).textContent = slider.value;
  };
  const change = (moved, other, wrong) => {
    if (wrong()) other.value = moved.value;
    range.from = Number(from.value);
    range.to = Number(to.value);
    show(from);
    show(to);
    draw();
  };
  const crossed = () => Number(from.value) > Number(to.value);
  from.addEventListener('input', () => change(from, to, crossed));
  to.addEventListener('input', () => change(to, from, crossed));
}

canvas.addEventListener('pointermove', point);
canvas.addEventListener('pointerdown', point);
document.getElementById('heatmap').addEventListener('change', draw);
document.getElementById('waves').addEventListener('change', draw);
slide(positions, 'positions');
slide(dimensions, 'dimensions');
begin(draw);
