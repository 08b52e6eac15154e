// The graph. Rust has laid it out (`graph.rs`), with all boxes folded and with all unfolded;
// here boxes of a row are moved apart where single ones are unfolded, and only what is seen
// is drawn.

const ROW_GAP = 44;
const BOX_GAP = 24;
/** Below this scale, ops in boxes are not drawn. */
const FAR = 0.32;
/** A graph opens at this scale at least; on pages of less than some pixels, at one at which it is not cut at its sides, if that is not too small. */
const READABLE = 0.55;
const NARROW = 700;
const SMALLEST = 0.2;

let graphView;

async function showGraph(path) {
  const graph = await part("graph");
  if (!graph.boxes.length) {
    replace(byId("graph-view"), element("p", {}, "No op is known: the program has none, or could not be read so far."));
    return;
  }
  graphView ??= new GraphView(await load(), graph);
  graphView.open(path[0]);
}

class GraphView {
  constructor(model, graph) {
    this.model = model;
    this.graph = graph;
    this.unitOfNode = new Map();
    this.unitOfRow = new Map();
    graph.boxes.forEach((unit, number) => {
      // Each kernel that reads an argument has a box of it.
      for (const [node] of unit.nodes) if (!this.unitOfNode.has(node)) this.unitOfNode.set(node, number);
      if (unit.row !== null && !this.unitOfRow.has(unit.row)) this.unitOfRow.set(unit.row, number);
    });
    // Several boxes may be of one row of the table, which they share the time of.
    const callsOfRow = new Map();
    for (const { row } of graph.boxes) if (row !== null) callsOfRow.set(row, (callsOfRow.get(row) ?? 0) + 1);
    this.shareOf = (unit) => model.rows[unit.row].share / callsOfRow.get(unit.row);
    this.isShared = (unit) => callsOfRow.get(unit.row) > 1;
    this.most = Math.max(1e-12, ...graph.boxes.filter((unit) => unit.row !== null).map(this.shareOf));
    this.ops = [...this.unitOfNode.keys()].filter((node) => node >= 0).length;
    this.found = [];
    this.build();
    this.setAll(this.ops <= 80);
    this.fit();
  }

  build() {
    this.edges = svg("g");
    this.units = svg("g");
    // Lines end at ops in boxes, so they are above these.
    this.content = svg("g", {}, this.units, this.edges);
    this.root = svg(
      "svg",
      { tabindex: 0, role: "application", "aria-label": "Graph of kernels and ops; arrows move it, plus and minus scale it" },
      this.content,
    );
    this.side = element("div", { class: "side" });
    this.search = element("input", {
      type: "search",
      placeholder: "Find op, place or kernel",
      "aria-label": "Find in the graph",
      oninput: debounced(() => this.find(this.search.value)),
      onkeydown: (event) => event.key === "Enter" && this.next(),
    });
    this.hits = element("span", { class: "quiet", role: "status" });
    const button = (text, title, onclick) => element("button", { type: "button", title, onclick }, text);
    const view = byId("graph-view");
    const hasKernels = this.graph.boxes.some((unit) => unit.call !== null);
    replace(
      view,
      element(
        "p",
        { class: "controls" },
        hasKernels && button("Unfold all", "Show the ops of all kernels", () => this.setAll(true)),
        hasKernels && button("Fold all", "Show kernels only", () => this.setAll(false)),
        button("+", "Larger", () => this.zoom.scaleBy(1.3)),
        button("−", "Smaller", () => this.zoom.scaleBy(1 / 1.3)),
        button("Fit", "Show all of it", () => this.fit(true)),
        this.search,
        this.hits,
      ),
      element("div", { class: "graph" }, element("div", { class: "map" }, this.root), this.side),
      hasKernels && this.legend(),
    );
    this.drawn = new Map();
    this.zoom = new Zoom(this.root, () => this.draw());
    new ResizeObserver(() => this.zoom.update()).observe(this.root);
    this.tell();
  }

  legend() {
    const { run, machine } = this.model.record;
    const what = run ? "part of the measured time" : machine ? "part of the estimated time" : "estimated cost";
    return element(
      "p",
      { class: "legend quiet" },
      element("span", { class: "ramp" }),
      ` ${what}; beside it the mean time of a call. A box is a call site of a kernel, and what is in it are the ops that it was made of. Ops with a dashed border need no code: constants, and other names of a buffer. Round boxes are arguments of the entry, in each kernel that reads them.`,
    );
  }

  /** What is beside the graph when nothing is chosen. */
  tell() {
    const { boxes } = this.graph;
    // A row of the table of kernels, which may be drawn as several boxes.
    const kernels = new Set(boxes.filter((unit) => unit.call !== null).map((unit) => unit.row)).size;
    replace(
      this.side,
      element("p", {}, kernels ? `${counted(this.ops, "op")}, as the phase hlo left them, without functions, returns and the bodies of reductions, in ${counted(kernels, "call site")} of kernels.` : `${counted(this.ops, "op")}; no kernels were made of them.`),
      element("p", { class: "quiet" }, "Click a box or an op for what it is.", kernels > 0 && " Click ▸ to unfold a kernel.", " Drag moves, the wheel scales."),
    );
  }

  isOpen(number) {
    const { call, nodes } = this.graph.boxes[number];
    return this.openUnits[number] && call !== null && nodes.length > 0;
  }

  sizeOf(number) {
    return this.graph.boxes[number].sizes[this.isOpen(number) ? 1 : 0];
  }

  setAll(isOpen) {
    this.state = isOpen ? 1 : 0;
    this.openUnits = this.graph.boxes.map(() => isOpen);
    this.place();
    if (this.zoom.root.isConnected) this.fit();
  }

  toggle(number) {
    const before = this.places[number];
    this.openUnits[number] = !this.openUnits[number];
    this.place();
    // The box stays where it is.
    const now = this.places[number];
    this.zoom.moveBy((before.x - now.x) * this.zoom.scale, (before.y - now.y) * this.zoom.scale);
  }

  /** The places of boxes and of the points of lines. */
  place() {
    const { boxes, lines } = this.graph;
    const rows = [];
    const row = (rank) => (rows[rank] ??= { items: [], height: 0 });
    boxes.forEach((unit, number) => {
      const [width, height] = this.sizeOf(number);
      const entry = row(unit.rank);
      entry.items.push({ unit: number, x: unit.x[this.state], width });
      entry.height = Math.max(entry.height, height);
    });
    this.points = lines.map((line) => line.points.map(([rank, ...x]) => ({ rank, x: x[this.state], y: 0 })));
    for (const point of this.points.flat()) row(point.rank).items.push({ point, x: point.x, width: 0 });
    this.places = [];
    this.rows = [];
    let top = 0;
    for (let rank = 0; rank < rows.length; rank++) {
      const { items, height } = row(rank);
      items.sort((a, b) => a.x - b.x);
      let right = -Infinity;
      let moved = 0;
      let count = 0;
      for (const item of items) {
        const gap = item.unit === undefined ? 4 : BOX_GAP;
        const x = Math.max(item.x, right + gap + item.width / 2);
        right = x + item.width / 2;
        if (item.unit !== undefined) {
          moved += x - item.x;
          count += 1;
        }
        item.x = x;
      }
      const back = count ? moved / count : 0;
      for (const item of items) {
        const x = item.x - back;
        if (item.unit === undefined) Object.assign(item.point, { x, y: top + height / 2 });
        else {
          const [width, tall] = this.sizeOf(item.unit);
          this.places[item.unit] = { x: x - width / 2, y: top + (height - tall) / 2, width, height: tall };
        }
      }
      this.rows.push({ top, bottom: top + height });
      top += height + ROW_GAP;
    }
    this.paths = undefined;
    this.clear();
    this.zoom?.update();
  }

  bounds() {
    const bounds = { left: Infinity, top: 0, right: -Infinity, bottom: 0 };
    for (const { x, y, width, height } of this.places) {
      bounds.left = Math.min(bounds.left, x);
      bounds.right = Math.max(bounds.right, x + width);
      bounds.bottom = Math.max(bounds.bottom, y + height);
    }
    return this.places.length ? bounds : { left: 0, top: 0, right: 1, bottom: 1 };
  }

  fit(isWhole) {
    const bounds = this.bounds();
    const [width] = this.zoom.size;
    const least = width < NARROW ? Math.min(READABLE, Math.max(SMALLEST, (width - 12) / (bounds.right - bounds.left || 1))) : READABLE;
    this.zoom.fit(bounds, isWhole ? 0.01 : least);
    if (!isWhole) this.fitRows(bounds);
    if (!isWhole && (bounds.right - bounds.left) * this.zoom.scale > this.zoom.size[0]) {
      // The first row is in the middle.
      const first = this.places.filter((_, number) => this.graph.boxes[number].rank === 0);
      const middle = first.reduce((sum, box) => sum + box.x + box.width / 2, 0) / (first.length || 1);
      this.zoom.x = this.zoom.size[0] / 2 - middle * this.zoom.scale;
    }
  }

  /** Scales a drawing that is too tall a little, so that no box is cut at the lower edge. */
  fitRows({ left, right }) {
    const { zoom } = this;
    const room = zoom.size[1] - zoom.y;
    const seen = this.rows.filter(({ bottom }) => bottom * zoom.scale <= room);
    if (!seen.length || seen.length === this.rows.length) return;
    const width = (right - left) * zoom.scale;
    const most = width <= zoom.size[0] ? zoom.size[0] / width : Infinity;
    const factor = Math.min(most, room / ((seen.at(-1).bottom + ROW_GAP / 2) * zoom.scale));
    zoom.scaleBy(factor, [zoom.size[0] / 2, zoom.y]);
  }

  clear() {
    this.drawn.clear();
    replace(this.units);
    replace(this.edges);
  }

  /** Draws what is seen, and removes what is not. */
  draw() {
    const { x, y, scale } = this.zoom;
    this.content.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
    const isFar = scale < FAR;
    if (isFar !== this.isFar) {
      this.isFar = isFar;
      this.content.classList.toggle("far", isFar);
      this.clear();
    }
    const [width, height] = this.zoom.size;
    const seen = { left: -x / scale - 200, top: -y / scale - 200, right: (width - x) / scale + 200, bottom: (height - y) / scale + 200 };
    const wanted = new Set();
    this.places.forEach((box, number) => {
      if (box.x > seen.right || box.y > seen.bottom || box.x + box.width < seen.left || box.y + box.height < seen.top) return;
      wanted.add("u" + number);
      if (!this.drawn.has("u" + number)) this.add(this.units, "u" + number, this.unit(number));
    });
    this.paths ??= this.graph.lines.flatMap((line, number) => this.linePaths(line, number));
    this.paths.forEach((path, number) => {
      if (path.left > seen.right || path.top > seen.bottom || path.right < seen.left || path.bottom < seen.top) return;
      wanted.add("e" + number);
      if (!this.drawn.has("e" + number)) {
        const edge = svg("path", { class: "edge" + (this.isChosenLine(path) ? " chosen" : ""), d: path.d });
        this.add(this.edges, "e" + number, edge);
      }
    });
    for (const [key, node] of this.drawn) {
      if (!wanted.has(key)) {
        node.remove();
        this.drawn.delete(key);
      }
    }
  }

  add(parent, key, node) {
    this.drawn.set(key, node);
    parent.append(node);
  }

  isChosenLine(path) {
    const chosen = this.chosen;
    if (!chosen) return false;
    if (chosen.node !== undefined) return path.nodes.some((pair) => pair.includes(chosen.node));
    return path.from === chosen.unit || path.to === chosen.unit;
  }

  /** The lines of a line between boxes: one, or, where a box is open, one for each op. */
  linePaths(line, number) {
    const isOpen = !this.isFar && (this.isOpen(line.from) || this.isOpen(line.to));
    const pairs = isOpen && line.nodes.length ? line.nodes : [line.nodes[0]];
    return pairs.map((pair) => {
      const from = this.end(line.from, pair?.[0], true);
      const to = this.end(line.to, pair?.[1], false);
      const points = [from, ...this.points[number].map(({ x, y }) => [x, y]), to];
      let d = `M${from[0]} ${from[1]}`;
      for (let index = 1; index < points.length; index++) {
        const [[x0, y0], [x1, y1]] = [points[index - 1], points[index]];
        const bend = (y1 - y0) / 2;
        d += `C${x0} ${y0 + bend} ${x1} ${y1 - bend} ${x1} ${y1}`;
      }
      const xs = points.map(([x]) => x);
      const ys = points.map(([, y]) => y);
      const edges = { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
      return { d, from: line.from, to: line.to, nodes: isOpen && pair ? [pair] : line.nodes, ...edges };
    });
  }

  /** Where a line begins or ends: at a box, or at an op in it. */
  end(number, node, isBegin) {
    const box = this.places[number];
    const op = this.isOpen(number) && !this.isFar && this.graph.boxes[number].nodes.find(([it]) => it === node);
    if (op) return [box.x + op[1], box.y + op[2] + (isBegin ? 34 : 0)];
    return [box.x + box.width / 2, box.y + (isBegin ? box.height : 0)];
  }

  unit(number) {
    const unit = this.graph.boxes[number];
    const { x, y, width, height } = this.places[number];
    const isAlone = unit.call === null;
    const isOpen = this.isOpen(number);
    const classes = ["unit"];
    if (isAlone) classes.push("alone");
    if (this.chosen?.unit === number && this.chosen.node === undefined) classes.push("chosen");
    if (this.foundUnits?.has(number)) classes.push("found");
    const row = unit.row === null ? undefined : this.model.rows[unit.row];
    const group = svg("g", { class: classes.join(" "), transform: `translate(${x} ${y})` });
    group.append(svg("rect", { width, height, rx: 7 }));
    if (isAlone) {
      const [node] = unit.nodes[0];
      group.append(...this.opTexts(node, width / 2, 0, width));
      if (node < 0) group.classList.add("argument");
      this.makeButton(group, `n${node}`, titleOf(nodeOf(this.model.record, node)));
      return group;
    }
    if (row) {
      const heat = Math.sqrt(this.shareOf(unit) / this.most) * 0.7;
      group.append(svg("rect", { class: "heat", width, height: isOpen ? 26 : height, rx: 7, "fill-opacity": heat.toFixed(3) }));
    }
    const share = row ? `${this.isShared(unit) ? "about " : ""}${percent(this.shareOf(unit))}` : "";
    const fold = svg("text", { class: "title", x: 10, y: 18, "pointer-events": "all" }, isOpen ? "▾" : "▸");
    fold.style.pointerEvents = "all";
    const hit = svg("rect", { class: "fold", width: 26, height: 26, "fill-opacity": 0, stroke: "none" });
    const flip = unit.nodes.length > 0 && svg("g", { role: "button", tabindex: 0, "aria-expanded": String(isOpen), "aria-label": `Ops of ${unit.title}` }, hit, fold);
    if (flip) activate(flip, () => this.toggle(number));
    const room = Math.floor((width - (isOpen ? 90 : 40)) / 6.9);
    group.append(svg("text", { class: "title", x: flip ? 26 : 12, y: 18 }, clipped(unit.title, room)));
    if (isOpen) {
      group.append(svg("text", { class: "small", x: width - 8, y: 18, "text-anchor": "end" }, share));
      if (!this.isFar) this.addOps(group, unit, number);
    } else {
      group.append(
        svg("text", { class: "small", x: 12, y: 34 }, clipped(unit.ops, Math.floor((width - 20) / 5.7))),
        svg("text", { class: "small", x: 12, y: 50 }, share + (row?.mean ? `  ${row.mean} us` : "")),
      );
    }
    if (flip) group.append(flip);
    this.makeButton(group, unit.row === null ? `u${number}` : `k${unit.row}`, unit.title, number);
    return group;
  }

  addOps(group, unit, number) {
    const at = new Map(unit.nodes.map((op) => [op[0], op]));
    for (const [node, x, y] of unit.nodes) {
      for (const operand of nodeOf(this.model.record, node).operands) {
        const from = at.get(operand);
        if (!from) continue;
        const [x0, y0] = [from[1], from[2] + 34];
        const bend = (y - y0) / 2;
        group.append(svg("path", { class: "edge inner", d: `M${x0} ${y0}C${x0} ${y0 + bend} ${x} ${y - bend} ${x} ${y}` }));
      }
    }
    for (const [node, x, y, width] of unit.nodes) {
      const classes = ["op"];
      if (node < 0) classes.push("argument");
      else if (!this.model.record.nodes[node].calls.length) classes.push("idle");
      if (this.chosen?.node === node) classes.push("chosen");
      if (this.foundNodes?.has(node)) classes.push("found");
      const op = svg("g", { class: classes.join(" "), transform: `translate(${x - width / 2} ${y})` });
      op.append(svg("rect", { width, height: 34, rx: node < 0 ? 17 : 5 }), ...this.opTexts(node, width / 2, 0, width));
      this.makeButton(op, `n${node}`, titleOf(nodeOf(this.model.record, node)), number);
      group.append(op);
    }
  }

  opTexts(number, x, y, width) {
    const node = nodeOf(this.model.record, number);
    const second = node.results || node.detail;
    return [
      svg("text", { x, y: y + (second ? 15 : 21), "text-anchor": "middle" }, clipped(titleOf(node), Math.floor(width / 6.8))),
      second && svg("text", { class: "small", x, y: y + 29, "text-anchor": "middle" }, clipped(second, Math.floor(width / 5.7))),
    ].filter(Boolean);
  }

  makeButton(group, target, label) {
    group.setAttribute("tabindex", 0);
    group.setAttribute("role", "link");
    group.setAttribute("aria-label", label);
    group.prepend(svg("title", {}, label));
    activate(group, () => {
      const hash = `#graph/${target}`;
      if (location.hash === hash) this.open(target, false);
      else {
        this.isByClick = true;
        location.hash = hash;
      }
    });
  }

  /** Shows what an address names: `k3` a row of kernels, `n7` a node, `u5` a box. */
  open(target, isMoved = !this.isByClick) {
    this.isByClick = false;
    const kind = target?.[0];
    const number = Number(target?.slice(1));
    let chosen;
    if (kind === "k") chosen = { unit: this.unitOfRow.get(number), row: number };
    else if (kind === "n") chosen = { unit: this.unitOfNode.get(number), node: number };
    else if (kind === "u") chosen = { unit: number };
    if (!chosen) {
      this.zoom.update();
      return;
    }
    this.chosen = chosen;
    if (chosen.node !== undefined) this.sideOfNode(chosen.node);
    else if (chosen.row !== undefined) this.sideOfRow(chosen.row);
    else this.tell();
    if (this.places[chosen.unit] === undefined) {
      this.side.append(element("p", { class: "quiet" }, "It is not drawn: it has no op of the entry, or is a part of another one."));
    } else if (isMoved) this.bring(chosen);
    this.clear();
    this.zoom.update();
  }

  bring({ unit, node }) {
    if (node !== undefined && !this.isOpen(unit) && this.graph.boxes[unit].call !== null) this.toggle(unit);
    const box = this.places[unit];
    const op = node !== undefined && this.isOpen(unit) && this.graph.boxes[unit].nodes.find(([it]) => it === node);
    if (op) this.zoom.center(box.x + op[1], box.y + op[2]);
    else this.zoom.center(box.x + box.width / 2, box.y + Math.min(box.height / 2, 200));
  }

  sideOfRow(number) {
    const row = this.model.rows[number];
    if (!row) return;
    replace(
      this.side,
      element("h3", {}, link(`kernel/${number}`, row.name)),
      element("p", { class: "quiet" }, row.location),
      reasonsOf(row),
      figures(row),
      element("p", {}, link(`kernel/${number}`, "Loops, code, buffers")),
      element("h3", {}, "Made of"),
      opTable(this.model, row.nodes.slice(0, 40)),
      row.nodes.length > 40 && element("p", {}, link(`kernel/${number}`, `and ${row.nodes.length - 40} more`)),
    );
  }

  sideOfNode(number) {
    const { record } = this.model;
    if (!(number < 0 ? record.arguments[-1 - number] : record.nodes[number])) return;
    const node = nodeOf(record, number);
    const name = (it) => link(`graph/n${it}`, titleOf(nodeOf(record, it)));
    const operands = node.operands.map((operand) =>
      element("li", {}, name(operand), " ", element("code", { class: "quiet" }, nodeOf(record, operand).results)),
    );
    const readers = [];
    record.nodes.forEach((other, index) => other.operands.includes(number) && readers.push(index));
    const rows = number < 0 ? [] : this.model.rowsOfNode(number);
    replace(
      this.side,
      element("h3", {}, titleOf(node)),
      element("p", {}, element("code", {}, node.results), node.detail && ` ${node.detail}`),
      element(
        "dl",
        { class: "facts figures" },
        [
          [number < 0 ? "size" : "result", node.bytes === null ? "" : size(node.bytes)],
          ["MFLOP", node.flops ? (node.flops / 1e6).toFixed(2) : ""],
          ["elementary", node.transcendentals ? `${node.transcendentals}` : ""],
        ].map(([title, text]) => text && element("div", {}, element("dt", {}, title), element("dd", {}, text))),
      ),
      number >= 0 && element(
        "p",
        {},
        rows.length ? "Computed by " : "No kernel computes it.",
        rows.map((row, index) => [index ? ", " : "", link(`kernel/${row}`, this.model.rows[row].name)]),
      ),
      operands.length > 0 && [element("h3", {}, "Reads"), element("ul", {}, operands)],
      readers.length > 0 && [
        element("h3", {}, "Read by"),
        element("ul", {}, readers.slice(0, 20).map((it) => element("li", {}, name(it)))),
        readers.length > 20 && element("p", {}, `and ${readers.length - 20} more`),
      ],
      number >= 0 && [element("h3", {}, "In the program"), opTable(this.model, [number]), remarkList(this.model, [number])],
    );
  }

  /** Marks what has all words in its name, type, place or kernel. */
  find(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const { record } = this.model;
    this.found = [];
    this.foundNodes = new Set();
    this.foundUnits = new Set();
    if (words.length) {
      const has = (all) => words.every((word) => all.toLowerCase().includes(word));
      this.graph.boxes.forEach((unit, number) => {
        if (unit.call !== null && has(unit.title)) {
          this.foundUnits.add(number);
          this.found.push({ unit: number, target: unit.row === null ? `u${number}` : `k${unit.row}` });
        }
        for (const [node] of unit.nodes) {
          const { name, applied, results, detail, origins } = nodeOf(record, node);
          const places = origins.map((op) => record.ops[op]?.location ?? "").join(" ");
          if (has(`${name} ${applied} ${results} ${detail} ${places}`)) {
            this.foundNodes.add(node);
            this.foundUnits.add(number);
            this.found.push({ unit: number, node, target: `n${node}` });
          }
        }
      });
    }
    this.position = -1;
    this.hits.textContent = words.length ? `${counted(this.found.length, "hit")}${this.found.length ? ", Enter for the next" : ""}` : "";
    this.clear();
    if (this.found.length) this.next();
    else this.zoom.update();
  }

  next() {
    if (!this.found.length) return;
    this.position = (this.position + 1) % this.found.length;
    const hit = this.found[this.position];
    this.hits.textContent = `${this.position + 1} of ${counted(this.found.length, "hit")}`;
    this.open(hit.target, true);
  }
}

/** The begin of a text that has at most so many characters. */
function clipped(text, most) {
  return text.length <= most ? text : text.slice(0, Math.max(1, most - 1)) + "…";
}

/** Calls a function for clicks and the keys of buttons, on this element only. */
function activate(node, action) {
  node.addEventListener("click", (event) => {
    event.stopPropagation();
    action();
  });
  node.addEventListener("keydown", (event) => {
    if (event.target !== node || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  });
}
