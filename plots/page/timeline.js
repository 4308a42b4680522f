// SPDX-License-Identifier: BSD-3-Clause
// One run as a timeline: plotly's axes and zoom, over a picture that is drawn anew for each view.
"use strict";
// As rounded() in units.py: a small number has more decimals.
const rounded = (t, decimals) => t === 0 ? "0" : t.toFixed(Math.max(decimals, t < 1 ? Math.min(99, 2 - Math.floor(Math.log10(t))) : 0));
const seconds = t => `${rounded(t, t < 10 ? 4 : 2)} s`;

const isSame = (a, b) => ["x", "y"].every(axis => [0, 1].every(end =>
  Math.abs(a[axis + end] - b[axis + end]) <= 1e-6 * (b[`${axis}1`] - b[`${axis}0`])));

class Timeline {
  // `runs`: of one directory, the first of which is shown. `longest`: answers how long the longest run
  // is that is shown, here or beside. `moved`: is called with this when the reader looks at another part,
  // but not when follow() or a new size of the window changes the axes.
  constructor(figure, runs, longest, moved) {
    this.side = figure.dataset.side;
    this.runs = runs;
    this.longest = longest;
    this.moved = moved;
    this.box = figure.querySelector(".plot");
    this.reading = figure.querySelector(".reading");
    this.keys = figure.querySelector(".keys");
    this.select = figure.querySelector("select");
    for (const run of runs) this.select.add(new Option(run.title, run.run));
    for (const input of figure.querySelectorAll("select, button")) input.disabled = false;
    this.select.addEventListener("change", () => this.show(this.select.value).then(() => this.moved(this)));
    for (const button of figure.querySelectorAll("button")) {
      button.addEventListener("click", () => this.act(button.dataset.do));
    }
    this.run = runs[0];
    this.cursor = -1;
  }

  named(name) { return this.runs.find(run => run.run === name); }

  all() { return { x0: 0, x1: 1.02 * (this.longest() || 1), y0: -0.5, y1: this.run.ranks - 0.5 }; }

  // Whole ranks, at a distance that is a power of two, as groups are; the one rank of a closer view.
  ticks({ y0, y1 }, height) {
    const step = 2 ** Math.max(0, Math.ceil(Math.log2((y1 - y0) * 28 / height))), at = [];
    const last = Math.min(y1, this.run.ranks - 1);
    for (let rank = step * Math.ceil(Math.max(y0, 0) / step); rank <= last; rank += step) at.push(rank);
    if (!at.length) at.push((y0 + y1) / 2);
    return { tickvals: at, ticktext: at.map(rank => Math.round(rank).toLocaleString("en")) };
  }

  layout(view) {
    const line = (x, dash) => ({ type: "line", x0: x, x1: x, yref: "paper", y0: 0, y1: 1.02,
                                 line: { color: INK, width: 1.5, dash } });
    const name = (x, text, xanchor) => ({ x, text, xanchor, yref: "paper", y: 1.02, yanchor: "bottom",
                                          showarrow: false, font: { size: 12 } });
    const run = this.run, known = run.least !== null;
    const space = (1 - run.makespan / this.all().x1) * (this.box.clientWidth - 88);  // beside the line of the makespan
    return {
      margin: { l: 64, r: 24, t: 80, b: 48 }, dragmode: "zoom", hovermode: false, font: { color: INK },
      xaxis: { title: { text: `time in s (${run.clock} clock)`, standoff: 4 }, range: [view.x0, view.x1], showgrid: false,
               zeroline: false, ticks: "outside" },
      yaxis: { title: { text: "rank" }, range: [view.y1, view.y0], showgrid: false, zeroline: false,
               ticks: "outside", tickmode: "array", ...this.ticks(view, this.box.clientHeight) },
      shapes: [...(known ? [line(run.least, "dot")] : []), line(run.makespan, "solid")],
      annotations: [...(known ? [name(run.least, `${run.leastName} ${rounded(run.least, 2)} s`, "right")] : []),
                    name(run.makespan, `makespan ${rounded(run.makespan, 2)} s`, space < 130 ? "right" : "left")],
    };
  }

  // What the colours mean, below the picture.
  explain(thin) {
    const meanings = thin ? [[`rgb(${SHADE})`, "share of ranks that work"], ["#eeeeee", "none works"]]
      : [[HUES[0], "working (a colour per walker)"], [IDLE, "idle"],
         ["#ffffff", "regrouping", "gap"], [INK, "regrouped", "edge"],
         ...(this.run.lost?.length ? [[DEATH, "rank lost (a cross)", "edge"]] : [])];
    this.keys.replaceChildren(...meanings.map(([colour, text, kind]) => {
      const key = document.createElement("li"), patch = document.createElement("span");
      if (kind) patch.className = kind;
      patch.style.background = colour;
      key.append(patch, text);
      return key;
    }));
  }

  async show(name, view) {
    this.run = this.named(name) ?? this.run;
    this.select.value = this.run.run;
    this.cursor = -1;
    this.mark(-1);
    this.known = view ?? this.all();
    const layout = this.layout(this.known);
    if (this.run.least / this.run.makespan > 0.8) layout.annotations[0].y = 1.07;
    await Plotly.react(this.box, [], layout, { responsive: true, displaylogo: false, scrollZoom: false,
      modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d", "toggleSpikelines"] });
    if (!this.listens) this.listen();
    await this.paint();
    this.tell(`${this.run.title}: ${this.run.ranks.toLocaleString("en")} ranks.`);
  }

  listen() {
    this.listens = true;
    this.box.on("plotly_relayout", change => {
      if ("images" in change) return;
      const view = this.view(), moved = !isSame(view, this.known);
      this.known = view;
      this.paint().then(() => moved && this.moved(this));
    });
    this.box.on("plotly_doubleclick", () => { this.look(this.all()); return false; });
    this.box.addEventListener("mousemove", event => this.point(event));
    this.box.addEventListener("keydown", event => this.key(event));
  }

  view() {
    const { xaxis, yaxis } = this.box._fullLayout;
    const [y0, y1] = [...yaxis.range].sort((a, b) => a - b);
    return { x0: xaxis.range[0], x1: xaxis.range[1], y0, y1 };
  }

  look(view) {
    return Plotly.relayout(this.box, { "xaxis.range": [view.x0, view.x1], "yaxis.range": [view.y1, view.y0] });
  }

  // As look(), for a view that another timeline has already.
  async follow(view) {
    if (isSame(view, this.known)) return;
    this.known = view;
    await this.look(view);
  }

  async paint() {
    const view = this.view(), { xaxis, yaxis } = this.box._fullLayout;
    const picture = drawn(this.run, view, xaxis._length, yaxis._length);
    const image = { source: picture.address, xref: "x", yref: "y", x: view.x0, y: view.y0, xanchor: "left",
                    yanchor: "top", sizex: view.x1 - view.x0, sizey: view.y1 - view.y0, sizing: "stretch", layer: "below" };
    const { tickvals, ticktext } = this.ticks(view, yaxis._length);
    this.explain(picture.thin);
    await Plotly.relayout(this.box, { images: [image], "yaxis.tickvals": tickvals, "yaxis.ticktext": ticktext });
    if (this.cursor >= 0) this.mark(this.cursor);
  }

  act(what) {
    if (what === "all") return this.look(this.all());
    const view = this.view(), scale = what === "in" ? 0.25 : 1;
    const [w, h] = [view.x1 - view.x0, view.y1 - view.y0], [x, y] = [(view.x0 + view.x1) / 2, (view.y0 + view.y1) / 2];
    return this.look(this.within({ x0: x - w * scale, x1: x + w * scale, y0: y - h * scale, y1: y + h * scale }));
  }

  within(view) {
    const all = this.all();
    const fit = (a, b, low, high) => {
      const size = Math.min(b - a, high - low), from = Math.min(Math.max(a, low), high - size);
      return [from, from + size];
    };
    const [x0, x1] = fit(view.x0, view.x1, all.x0, all.x1), [y0, y1] = fit(view.y0, view.y1, all.y0, all.y1);
    return { x0, x1, y0, y1 };
  }

  key(event) {
    const view = this.view(), [w, h] = [(view.x1 - view.x0) / 4, (view.y1 - view.y0) / 4];
    const moves = { ArrowLeft: [-w, 0], ArrowRight: [w, 0], ArrowUp: [0, -h], ArrowDown: [0, h] };
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key in moves) {
      const [x, y] = moves[event.key];
      this.look(this.within({ x0: view.x0 + x, x1: view.x1 + x, y0: view.y0 + y, y1: view.y1 + y }));
    } else if (event.key === "+" || event.key === "-" || event.key === "0") {
      this.act({ "+": "in", "-": "out", 0: "all" }[event.key]);
    } else if (event.key === "n" || event.key === "p") {
      this.step(event.key === "n" ? 1 : -1);
    } else {
      return;
    }
    event.preventDefault();
  }

  // To the next group in view, by time.
  step(by) {
    if (this.run.shades) return this.tell("This run has too many groups to be read one by one.");
    const shown = inView(this.run.bars, this.view());
    if (!shown.length) return this.tell("No group is in view.");
    const at = shown.indexOf(this.cursor);
    this.cursor = shown[at < 0 ? (by > 0 ? 0 : shown.length - 1) : (at + by + shown.length) % shown.length];
    this.mark(this.cursor);
    this.tell(this.about(this.cursor));
  }

  point(event) {
    const { xaxis, yaxis } = this.box._fullLayout, box = this.box.getBoundingClientRect();
    const time = xaxis.p2d(event.clientX - box.left - this.box.clientLeft - xaxis._offset);
    const rank = Math.round(yaxis.p2d(event.clientY - box.top - this.box.clientTop - yaxis._offset));
    if (this.run.shades) return;
    const bars = this.run.bars, view = { x0: time, x1: time, y0: rank, y1: rank };
    const found = inView(bars, view)[0] ?? -1;
    if (found === this.cursor) return;
    this.cursor = found;
    this.mark(found);
    if (found >= 0) this.tell(this.about(found));
  }

  ranks(i) {
    const bars = this.run.bars, parts = [];
    for (let k = 0; k < bars.lo.length; ++k) {
      if (bars.group[k] === bars.group[i]) parts.push(bars.lo[k] === bars.hi[k] ? `${bars.lo[k]}` : `${bars.lo[k]}–${bars.hi[k]}`);
    }
    return parts.length > 6 ? `${parts.slice(0, 6).join(", ")}, …` : parts.join(", ");
  }

  // The groups whose ranks this one took over: of each of its ranks the last before it.
  parents(i) {
    const bars = this.run.bars, last = new Map();
    for (let k = 0; k < bars.lo.length; ++k) {
      if (bars.group[k] === bars.group[i] || bars.begin[k] >= bars.begin[i]) continue;
      if (bars.hi[k] < bars.lo[i] || bars.lo[k] > bars.hi[i]) continue;
      for (const [other] of last) {
        if (bars.hi[k] >= bars.lo[other] && bars.lo[k] <= bars.hi[other]) last.delete(other);
      }
      last.set(k, true);
    }
    return [...last.keys()].sort((a, b) => bars.lo[a] - bars.lo[b]);
  }

  about(i) {
    const bars = this.run.bars, works = bars.walker[i] >= 0;
    const words = [`Ranks ${this.ranks(i)}`, `from ${seconds(bars.begin[i])} to ${seconds(bars.end[i])}`];
    words.push(works ? `walker ${bars.walker[i]}, ${bars.left[i]} items left, ${Math.max(bars.rest[i], 0)} at the end`
                     : "no walker");
    if (bars.end[i] > bars.busy[i]) words.push(`idle from ${seconds(Math.max(bars.busy[i], bars.begin[i]))} on`);
    if (bars.formed[i]) {
      const parents = this.parents(i), few = parents.slice(0, 8).map(k => this.ranks(k));
      words.push(`formed by regrouping of ${few.join(" and ")}${parents.length > 8 ? ` and ${parents.length - 8} more` : ""}`);
    }
    return `${words.join(" · ")}.`;
  }

  mark(i) {
    this.frame?.remove();
    if (i < 0) return;
    const bars = this.run.bars, { xaxis, yaxis } = this.box._fullLayout, frame = document.createElement("div");
    const clip = (p, axis) => axis._offset + Math.min(Math.max(p, 0), axis._length);
    const [x0, x1] = [bars.begin[i], bars.end[i]].map(t => clip(xaxis.d2p(t), xaxis));
    const [y0, y1] = [bars.lo[i] - 0.5, bars.hi[i] + 0.5].map(r => clip(yaxis.d2p(r), yaxis));
    frame.className = "mark";
    Object.assign(frame.style, { left: `${x0}px`, top: `${y0}px`, width: `${x1 - x0}px`, height: `${Math.max(y1 - y0, 4)}px` });
    this.box.append(frame);
    this.frame = frame;
  }

  tell(text) { this.reading.textContent = text; }
}
