// SPDX-License-Identifier: BSD-3-Clause
// Draws what of a run is in view, at the resolution of the screen. A view is the times from x0 to x1
// (s) and the ranks from y0 to y1, with half a rank beside each.
"use strict";
const HUES = ["#77AADD", "#EE8866", "#EEDD88", "#FFAABB", "#44BB99", "#BBCC33", "#99DDFF"];
const IDLE = "#E4E4E4", INK = "#222222", DEATH = "#AA1111", SHADE = [0, 80, 143];
const NAMED = 400;  // bars in view that have names and edges, at most

const inView = (bars, view) => {
  const found = [];
  for (let i = 0; i < bars.lo.length; ++i) {
    if (bars.begin[i] < view.x1 && bars.end[i] > view.x0 && bars.lo[i] - 0.5 < view.y1 &&
        bars.hi[i] + 0.5 > view.y0) found.push(i);
  }
  return found;
};

// Whether groups are too thin to be seen one by one.
const isThin = (run, shown, view, height) => {
  if (run.shades || shown.length <= NAMED) return Boolean(run.shades);
  const sizes = shown.map(i => run.bars.hi[i] - run.bars.lo[i] + 1).sort((a, b) => a - b);
  return sizes[Math.floor(sizes.length / 4)] * height / (view.y1 - view.y0) < 2;
};

const drawBars = (pen, run, shown, view, width, height) => {
  const bars = run.bars;
  const x = t => (t - view.x0) / (view.x1 - view.x0) * width;
  const y = r => (r - view.y0) / (view.y1 - view.y0) * height;
  const named = shown.length <= NAMED, gap = named ? 1 : 0;
  const box = (from, to, i, colour) => {
    pen.fillStyle = colour;
    const top = y(bars.lo[i] - 0.5), bottom = y(bars.hi[i] + 0.5);
    pen.fillRect(x(from), top + gap / 2, Math.max(x(to) - x(from), 0.5), bottom - top - gap);
  };
  for (const i of shown) {
    const works = bars.walker[i] >= 0 && bars.busy[i] > bars.begin[i];
    const until = works ? bars.busy[i] : bars.begin[i];
    if (bars.end[i] > until) box(until, bars.end[i], i, IDLE);
    if (works) box(bars.begin[i], until, i, HUES[bars.hue[i] % HUES.length]);
  }
  pen.strokeStyle = DEATH;
  pen.lineWidth = 2;
  for (const [rank, time] of run.lost ?? []) {
    const size = 4, [cx, cy] = [x(time), y(rank)];
    pen.beginPath();
    for (const side of [-1, 1]) {
      pen.moveTo(cx - size, cy - side * size);
      pen.lineTo(cx + size, cy + side * size);
    }
    pen.stroke();
  }
  if (!named) return;
  pen.textBaseline = "middle";
  pen.textAlign = "center";
  for (const i of shown) {
    const top = y(bars.lo[i] - 0.5), bottom = y(bars.hi[i] + 0.5);
    pen.fillStyle = INK;
    if (bars.formed[i]) pen.fillRect(x(bars.begin[i]) - 1, top + 1, 2, bottom - top - 2);
    const [left, right] = [Math.max(x(bars.begin[i]), 0), Math.min(x(bars.busy[i]), width)];
    if (bars.walker[i] < 0 || bottom - top < 12) continue;
    const words = [`walker ${bars.walker[i]}, ${bars.left[i]} items`, `walker ${bars.walker[i]}`,
                   `${bars.walker[i]}`].find(text => pen.measureText(text).width < right - left - 8);
    if (words) pen.fillText(words, (left + right) / 2, (Math.max(top, 0) + Math.min(bottom, height)) / 2);
  }
};

// The share of ranks that work, in each pixel: differences along the time, summed up.
const sharesOf = (run, shown, view, columns, rows) => {
  const bars = run.bars, work = new Float32Array(rows * (columns + 2));
  const toColumn = columns / (view.x1 - view.x0), toRow = rows / (view.y1 - view.y0);
  const step = (row, t, share) => {
    const at = Math.min(Math.max((t - view.x0) * toColumn, 0), columns), cell = Math.floor(at);
    work[row * (columns + 2) + cell] += share * (1 - at + cell);
    work[row * (columns + 2) + cell + 1] += share * (at - cell);
  };
  for (const i of shown) {
    if (bars.walker[i] < 0 || bars.busy[i] <= bars.begin[i]) continue;
    const top = (bars.lo[i] - 0.5 - view.y0) * toRow, bottom = (bars.hi[i] + 0.5 - view.y0) * toRow;
    for (let row = Math.max(Math.floor(top), 0); row < Math.min(bottom, rows); ++row) {
      const share = Math.min(bottom, row + 1) - Math.max(top, row);
      step(row, bars.begin[i], share);
      step(row, bars.busy[i], -share);
    }
  }
  return (column, row, sum) => sum + work[row * (columns + 2) + column];
};

const drawShares = (pen, run, shown, view, columns, rows) => {
  const picture = pen.createImageData(columns, rows);
  const next = run.shades ? null : sharesOf(run, shown, view, columns, rows);
  const shades = run.shades;
  for (let row = 0; row < rows; ++row) {
    const rank = view.y0 + (row + 0.5) / rows * (view.y1 - view.y0) + 0.5;
    for (let column = 0, sum = 0; column < columns; ++column) {
      if (next) {
        sum = next(column, row, sum);
      } else {
        const time = view.x0 + (column + 0.5) / columns * (view.x1 - view.x0);
        const [c, r] = [Math.floor(time / run.makespan * shades.columns), Math.floor(rank / run.ranks * shades.rows)];
        sum = c >= 0 && c < shades.columns && r >= 0 && r < shades.rows
          ? shades.bytes.charCodeAt(r * shades.columns + c) / 255 : 0;
      }
      const share = Math.min(Math.max(sum, 0), 1), at = 4 * (row * columns + column);
      for (let k = 0; k < 3; ++k) picture.data[at + k] = 238 + (SHADE[k] - 238) * share;
      picture.data[at + 3] = view.x0 + column / columns * (view.x1 - view.x0) < run.makespan ? 255 : 0;
    }
  }
  pen.putImageData(picture, 0, 0);
};

// Answers the picture's address, and whether it shows shares of ranks.
const drawn = (run, view, width, height) => {
  const canvas = document.createElement("canvas"), sharp = Math.min(window.devicePixelRatio || 1, 2);
  canvas.width = Math.round(width * sharp);
  canvas.height = Math.round(height * sharp);
  const pen = canvas.getContext("2d");
  const shown = run.shades ? [] : inView(run.bars, view), thin = isThin(run, shown, view, height);
  if (thin) {
    drawShares(pen, run, shown, view, canvas.width, canvas.height);
  } else {
    pen.scale(sharp, sharp);
    pen.font = "12px system-ui, 'DejaVu Sans', sans-serif";
    drawBars(pen, run, shown, view, width, height);
  }
  return { address: canvas.toDataURL(), thin };
};
