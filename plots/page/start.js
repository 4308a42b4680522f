// SPDX-License-Identifier: BSD-3-Clause
// Unpacks plotly and the runs, makes the timelines, and keeps in the address what they show:
// #zoom=FROM,TO&ranks=FROM,TO&runA=ID&runB=ID
"use strict";
(() => {
  const root = document.documentElement;
  window.addEventListener("error", event => { root.dataset.error = event.message; });
  window.addEventListener("unhandledrejection", event => { root.dataset.error = String(event.reason); });
  const figures = [...document.querySelectorAll("figure.timeline")];
  if (!figures.length) {
    root.dataset.timeline = "none";
    return;
  }
  const say = text => { for (const one of figures) one.querySelector(".reading").textContent = text; };
  if (!("DecompressionStream" in window)) {
    root.dataset.timeline = "unsupported";
    say("This browser is too old for the timeline: it has no DecompressionStream (Chrome and Edge have it " +
        "from 80 on, Safari from 16.4, Firefox from 113). The pictures below need nothing.");
    return;
  }

  const unpack = id => {
    const letters = atob(document.getElementById(id).textContent), bytes = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; ++i) bytes[i] = letters.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text();
  };

  const pair = (text, least) => {
    const ends = (text ?? "").split(",").map(Number);
    return ends.length === 2 && ends.every(Number.isFinite) && ends[1] - ends[0] >= least ? ends : null;
  };
  const asked = () => {
    const words = new URLSearchParams(location.hash.slice(1));
    return { zoom: pair(words.get("zoom"), 1e-9), ranks: pair(words.get("ranks"), 0), run: side => words.get(`run${side}`) };
  };
  const viewOf = (timeline, { zoom, ranks }) => {
    const all = timeline.all();
    return timeline.within({ x0: zoom ? zoom[0] : all.x0, x1: zoom ? zoom[1] : all.x1,
                             y0: ranks ? ranks[0] - 0.5 : all.y0, y1: ranks ? ranks[1] + 0.5 : all.y1 });
  };

  let timelines = [];
  const short = value => String(Number(value.toPrecision(6)));
  // The other timeline and the address follow: they show the same times and the same ranks.
  const moved = async timeline => {
    const { x0, x1, y0, y1 } = timeline.view(), all = timeline.all(), words = [];
    const zoom = x0 > all.x0 || x1 < all.x1 ? [x0, x1] : null;
    const ranks = y0 > all.y0 || y1 < all.y1 ? [Math.ceil(y0), Math.floor(y1)] : null;
    if (zoom) words.push(`zoom=${zoom.map(short)}`);
    if (ranks) words.push(`ranks=${ranks}`);
    for (const one of timelines) words.push(`run${one.side}=${one.run.run}`);
    root.dataset.zoom = [x0, x1].map(short).join(",");
    history.replaceState(null, "", `#${words.join("&")}`);
    for (const one of timelines) {
      if (one !== timeline) await one.follow(viewOf(one, { zoom, ranks: ranks && [y0 + 0.5, y1 - 0.5] }));
    }
  };

  const start = async () => {
    const data = JSON.parse(await unpack("data"));
    const script = document.createElement("script");
    script.textContent = await unpack("plotly");
    document.head.append(script);
    const longest = () => Math.max(...timelines.map(one => one.run.makespan));
    for (const side of data) {
      for (const run of side.runs) if (run.shades) run.shades.bytes = atob(run.shades.cells);
    }
    timelines = data.map((side, i) => new Timeline(figures[i], side.runs, longest, moved));
    const showAsked = async () => {
      const words = asked();
      for (const one of timelines) one.run = one.named(words.run(one.side)) ?? one.run;  // all scales follow from these
      for (const one of timelines) await one.show(one.run.run, viewOf(one, words));
    };
    await showAsked();
    window.addEventListener("hashchange", showAsked);
    root.dataset.zoom = ["x0", "x1"].map(end => short(timelines[0].view()[end])).join(",");
    root.dataset.readyMs = Math.round(performance.now());
    root.dataset.timeline = "ready";
  };
  start().catch(error => {
    root.dataset.error = String(error);
    say(`The timeline could not be made: ${error.message}`);
  });
})();
