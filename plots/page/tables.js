// SPDX-License-Identifier: BSD-3-Clause
// Tables that a click on a head sorts; and below each box that scrolls, where the rest of it is.
"use strict";
(() => {
  const scale = { s: 1, ms: 1e-3, "µs": 1e-6, ns: 1e-9 };
  // Times by their length, other numbers by their size, else nothing.
  const amount = text => {
    const found = /^(-?[\d,]*\.?\d+(?:e[+-]?\d+)?)(?:\s(s|ms|µs|ns)\b)?/.exec(text);
    return found ? Number(found[1].replaceAll(",", "")) * (scale[found[2]] ?? 1) : NaN;
  };
  const compare = (a, b) => {
    const [x, y] = [amount(a), amount(b)];
    if (Number.isNaN(x) || Number.isNaN(y)) return a.localeCompare(b, "en", { numeric: true });
    return x - y;
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const sign = head.ariaSort === "ascending" ? -1 : 1;
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
        const rows = [...table.tBodies[0].rows];
        rows.sort((a, b) => sign * compare(a.cells[column].textContent, b.cells[column].textContent));
        table.tBodies[0].append(...rows);
      });
    });
  }

  for (const box of document.querySelectorAll(".scroll")) {
    const sign = document.createElement("p");
    sign.className = "more";
    sign.ariaHidden = "true";
    box.after(sign);
    const update = () => {
      const right = box.scrollWidth - box.clientWidth, below = box.scrollHeight - box.clientHeight;
      sign.hidden = right <= 1 && below <= 1;
      sign.textContent = [[box.scrollLeft > 1, "← more to the left"], [box.scrollTop > 1, "↑ more above"],
                          [below - box.scrollTop > 1, "more below ↓"], [right - box.scrollLeft > 1, "more to the right →"]]
        .filter(([is]) => is).map(([, text]) => text).join(" · ");
    };
    box.addEventListener("scroll", update);
    new ResizeObserver(update).observe(box);
  }
})();
