// What the interactive pages share: the numbers of the figure, the canvas, and drawing a matrix.
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
const canvas = document.getElementById('canvas');
const pen = canvas.getContext('2d');
const ink = '#222222', grid = '#dddddd';
const stops = data.stops.map((hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)));

const valueAt = (row, column) => data.values[row * data.columns + column];
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
const shown = (value) => value.toFixed(4).replace('-', '\u2212');

function colourOf(value) {
  const share = clamp((value - data.low) / (data.high - data.low), 0, 1) * (stops.length - 1);
  const below = Math.min(Math.floor(share), stops.length - 2);
  const next = stops[below + 1];
  return `rgb(${stops[below].map((a, i) => Math.round(a + (share - below) * (next[i] - a)))})`;
}

// Clears the canvas, makes it as wide as its place, but no wider than `most`, and `height(width)`
// high. Returns both.
function prepare(height, most = Infinity) {
  const width = Math.min(canvas.parentElement.clientWidth, most);
  const ratio = window.devicePixelRatio || 1;
  const size = { width, height: height(width) };
  canvas.width = Math.round(size.width * ratio);
  canvas.height = Math.round(size.height * ratio);
  canvas.style.width = `${size.width}px`;
  canvas.style.height = `${size.height}px`;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, size.width, size.height);
  pen.font = '12px "DejaVu Sans", Verdana, sans-serif';
  return size;
}

function text(words, x, y, align = 'center', colour = ink) {
  pen.fillStyle = colour;
  pen.textAlign = align;
  pen.textBaseline = 'middle';
  pen.fillText(words, x, y);
}

function upright(words, x, y) {
  pen.save();
  pen.translate(x, y);
  pen.rotate(-Math.PI / 2);
  text(words, 0, 0);
  pen.restore();
}

// Every how many cells there is room for a label.
const stepFor = (cell, room) => [1, 2, 5, 10, 20, 50].find((step) => step * cell >= room) || 100;

// The part of the canvas inside the axes; their titles are written around it.
function frame(size, right) {
  const box = { left: 46, right: size.width - right, top: 8, bottom: size.height - 44 };
  box.width = box.right - box.left;
  box.height = box.bottom - box.top;
  return box;
}

function colourBar(box) {
  const left = box.right + 10, steps = 60;
  for (let i = 0; i < steps; ++i) {
    pen.fillStyle = colourOf(data.low + (i + 0.5) / steps * (data.high - data.low));
    const y = box.bottom - (i + 1) / steps * box.height;
    pen.fillRect(left, y, 12, box.height / steps + 1);
  }
  for (const share of [0, 0.5, 1]) {
    const value = data.low + share * (data.high - data.low);
    text(+value.toFixed(2), left + 16, clamp(box.bottom - share * box.height, 14, box.bottom - 6),
         'left');
  }
}

// Rows and columns of the matrix from..to as colours inside `box`.
function drawMap(box, rows, columns) {
  const high = box.height / (rows.to - rows.from + 1);
  const wide = box.width / (columns.to - columns.from + 1);
  for (let row = rows.from; row <= rows.to; ++row)
    for (let column = columns.from; column <= columns.to; ++column) {
      pen.fillStyle = colourOf(valueAt(row, column));
      // A little larger than the cell, so that no line shows between neighbours.
      pen.fillRect(box.left + (column - columns.from) * wide, box.top + (row - rows.from) * high,
                   wide + 0.5, high + 0.5);
    }
  for (let row = rows.from; row <= rows.to; row += stepFor(high, 15))
    text(row, box.left - 6, box.top + (row - rows.from + 0.5) * high, 'right');
  for (let column = columns.from; column <= columns.to; column += stepFor(wide, 24))
    text(column, box.left + (column - columns.from + 0.5) * wide, box.bottom + 12);
  text(data.columnTitle, (box.left + box.right) / 2, box.bottom + 32);
  upright(data.rowTitle, 10, (box.top + box.bottom) / 2);
  colourBar(box);
  return { high, wide };
}

// A frame that is seen on dark and on light cells.
function outline(x, y, width, height, line = 1.5) {
  pen.lineWidth = 2 * line;
  pen.strokeStyle = '#ffffff';
  pen.strokeRect(x, y, width, height);
  pen.lineWidth = line;
  pen.strokeStyle = '#000000';
  pen.strokeRect(x, y, width, height);
}

// The place of a pointer in pixels of the canvas.
function placeOf(event) {
  const edge = canvas.getBoundingClientRect();
  return { x: event.clientX - edge.left, y: event.clientY - edge.top };
}

// Calls move(down, right) for the arrow keys.
function onArrows(move) {
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  canvas.addEventListener('keydown', (event) => {
    if (!(event.key in steps) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    move(...steps[event.key]);
  });
}

// Shows the interactive part in place of the picture, draws, and draws again when sizes change.
function begin(draw) {
  document.getElementById('interactive').hidden = false;
  draw();
  document.getElementById('static').hidden = true;
  window.addEventListener('resize', draw);
}
