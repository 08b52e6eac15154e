// The memory plan, with a window of time that can be moved and scaled.

/** The widths of letters in boxes and below the chart, and the height of a line in a box. */
const BOX_LETTER = 6.3;
const TICK_LETTER = 7;
/** The space below the chart for names of calls that stand upright. */
const UPRIGHT_NAMES = 96;
const BOX_LINE = 13;

/** The most boxes that are drawn at once. */
const MOST_BOXES = 4000;

let memoryView;

async function showMemory(path) {
  const model = await load();
  if (!model.record.arena) return;
  memoryView ??= new MemoryView(model, inCalls(model));
  memoryView.choose(path[0] === undefined ? undefined : Number(path[0]));
}

/** The memory plan with calls as times. */
function inCalls({ record, plan }) {
  const buffers = record.arena.buffers.map((buffer, number) => ({ ...buffer, ...plan.buffers[number] }));
  const { peak, peak_end, end } = plan;
  return { ...record.arena, buffers, peak, peak_end, end: end + 1, call_times: record.calls.map((_, call) => call) };
}

class MemoryView {
  constructor(model, arena) {
    this.model = model;
    this.arena = arena;
    this.window = [0, Math.max(1, arena.end)];
    this.root = svg("svg", {
      class: "chart-live",
      tabindex: 0,
      role: "application",
      "aria-label": "Buffers over calls and addresses; arrows move the window of calls, plus and minus scale it",
    });
    this.note = element("span", { class: "quiet", role: "status" });
    const button = (text, title, onclick) => element("button", { type: "button", title, onclick }, text);
    const map = element("div", { class: "map memory-map" }, this.root);
    replace(
      byId("memory-view"),
      element(
        "p",
        { class: "controls" },
        button("+", "Fewer calls", () => this.scale(0.6)),
        button("−", "More calls", () => this.scale(1 / 0.6)),
        button("All", "All of the program", () => this.set([0, Math.max(1, arena.end)])),
        button("Peak", "The calls around the peak", () => this.around((arena.peak + arena.peak_end + 1) / 2, Math.max(8, arena.end / 12))),
        this.note,
      ),
      map,
    );
    this.live = liveBytes(arena);
    this.calls = arena.call_times
      .map((time, call) => ({ time, name: model.record.calls[call]?.name ?? "", full: model.plan.calls[call] ?? "" }))
      .sort((a, b) => a.time - b.time);
    this.listen();
    new ResizeObserver(() => this.draw()).observe(map);
  }

  listen() {
    const { root } = this;
    const time = (event) => {
      const box = root.getBoundingClientRect();
      return this.timeOf(event.clientX - box.left);
    };
    root.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.move((event.deltaX / this.width) * this.span);
        else this.scale(Math.exp(event.deltaY / 500), time(event));
      },
      { passive: false },
    );
    const pointers = new Map();
    let moved = 0;
    root.addEventListener("pointerdown", (event) => {
      pointers.set(event.pointerId, event.clientX);
      if (pointers.size === 1) moved = 0;
    });
    root.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (before === undefined) return;
      const change = event.clientX - before;
      moved += Math.abs(change);
      if (moved > 6) root.setPointerCapture(event.pointerId);
      if (pointers.size === 2) {
        const [, other] = [...pointers].find(([id]) => id !== event.pointerId);
        this.scale(Math.abs(before - other) / Math.max(8, Math.abs(event.clientX - other)));
      } else this.move((-change / this.width) * this.span);
      pointers.set(event.pointerId, event.clientX);
    });
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
      root.addEventListener(name, (event) => pointers.delete(event.pointerId));
    }
    root.addEventListener("click", (event) => {
      const number = event.target.dataset?.buffer;
      if (number !== undefined && moved <= 6) location.hash = `#memory/${number}`;
    });
    root.addEventListener("keydown", (event) => {
      const actions = {
        "+": () => this.scale(0.7),
        "=": () => this.scale(0.7),
        "-": () => this.scale(1 / 0.7),
        ArrowLeft: () => this.move(-this.span / 8),
        ArrowRight: () => this.move(this.span / 8),
      };
      if (!actions[event.key] || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      actions[event.key]();
    });
  }

  get span() {
    return this.window[1] - this.window[0];
  }

  get width() {
    return Math.max(100, (this.root.clientWidth || 800) - 86);
  }

  /** Whether the names of calls stand upright, since few of them have space beside each other. */
  get isNarrow() {
    return this.width < 400;
  }

  timeOf(x) {
    return this.window[0] + ((x - 76) / this.width) * this.span;
  }

  set([first, last]) {
    const end = Math.max(1, this.arena.end);
    const span = Math.min(end, Math.max(2, last - first));
    const from = Math.min(end - span, Math.max(0, first));
    this.window = [from, from + span];
    this.draw();
  }

  move(time) {
    this.set([this.window[0] + time, this.window[1] + time]);
  }

  scale(factor, around = (this.window[0] + this.window[1]) / 2) {
    const [first, last] = this.window;
    this.set([around - (around - first) * factor, around + (last - around) * factor]);
  }

  around(time, span) {
    this.set([time - span / 2, time + span / 2]);
  }

  choose(number) {
    this.chosen = number;
    const view = byId("buffer-view");
    const buffer = this.arena.buffers[number];
    if (!buffer) replace(view);
    else {
      const [first, last] = this.window;
      if (buffer.last < first || buffer.first > last) this.around((buffer.first + buffer.last) / 2, this.span);
      replace(view, this.details(buffer, number));
    }
    this.draw();
  }

  callAt(time) {
    return this.calls.findLast((call) => call.time <= time);
  }

  /** The first and the last call, with their places where several are of one name. */
  life([from, to]) {
    const [first, last] = [this.callAt(from), this.callAt(to)];
    if (!first || !last) return `time ${from} to ${to}`;
    return first === last ? first.full : `${first.full} to ${last.full}`;
  }

  details(buffer, number) {
    const { model } = this;
    const users = [];
    model.record.calls.forEach((call, index) => {
      if (call.buffers.some((it) => it.arena === number)) users.push(index);
    });
    const entries = [
      ["size", size(buffer.bytes)],
      ["address", `byte ${buffer.offset} of the arena`],
      ["type", element("code", {}, buffer.type)],
      ["value lives", this.life(buffer.value)],
      ["buffer lives", this.life([buffer.first, buffer.last])],
      ["at the peak", buffer.first <= this.arena.peak && this.arena.peak <= buffer.last ? "yes" : "no"],
    ];
    return element(
      "div",
      { class: "note" },
      element("h3", {}, buffer.content || `Buffer ${number}`, " ", element("span", { class: "quiet" }, buffer.place)),
      element("dl", { class: "facts" }, entries.map(([title, text]) => element("div", {}, element("dt", {}, title), element("dd", {}, text)))),
      users.length > 0 &&
        element(
          "p",
          {},
          "Used by ",
          users.slice(0, 12).map((call, index) => {
            const row = model.rowOfCall.get(call);
            const name = model.plan.calls[call];
            return [index ? ", " : "", row === undefined ? name : link(`kernel/${row}`, name)];
          }),
          users.length > 12 && ` and ${users.length - 12} more`,
        ),
      buffer.made_of.length > 0 && [element("h4", {}, buffer.is_result ? "It holds the result of" : "It is for"), opTable(model, buffer.made_of)],
    );
  }

  draw() {
    const { arena, width } = this;
    const height = this.root.clientHeight || 400;
    const [left, top, bottom] = [76, 12, height - (this.isNarrow ? UPRIGHT_NAMES : 34)];
    const [first, last] = this.window;
    const x = (time) => left + ((time - first) / this.span) * width;
    const most = Math.max(1, arena.bytes, arena.lower_bound);
    const y = (bytes) => bottom - (bytes / most) * (bottom - top);
    const clamp = (place) => Math.min(left + width, Math.max(left, place));
    let boxes = [];
    let small = 0;
    arena.buffers.forEach((buffer, number) => {
      if (buffer.last + 1 < first || buffer.first > last) return;
      const from = clamp(x(buffer.first));
      const to = clamp(x(buffer.last + 1));
      const tall = y(buffer.offset) - y(buffer.offset + buffer.bytes);
      if ((to - from) * tall < 0.15 && number !== this.chosen) small += 1;
      else boxes.push({ number, buffer, from, wide: Math.max(0.5, to - from), tall: Math.max(0.5, tall) });
    });
    if (boxes.length > MOST_BOXES) {
      boxes.sort((a, b) => b.wide * b.tall - a.wide * a.tall);
      small += boxes.length - MOST_BOXES;
      boxes = boxes.slice(0, MOST_BOXES);
    }
    const rects = boxes.map(({ number, buffer, from, wide, tall }) => {
      const classes = ["buffer"];
      if (buffer.first <= arena.peak && arena.peak <= buffer.last) classes.push("at-peak");
      if (number === this.chosen) classes.push("chosen");
      const rect = svg("rect", { class: classes.join(" "), x: from, y: y(buffer.offset + buffer.bytes), width: wide, height: tall, "data-buffer": number });
      rect.append(svg("title", {}, `${size(buffer.bytes)} ${buffer.type}\n${this.opsOf(buffer)}\n${this.life([buffer.first, buffer.last])}`));
      return rect;
    });
    const texts = boxes.slice(0, 600).map(({ buffer, from, wide, tall }) => {
      const top = y(buffer.offset + buffer.bytes);
      return boxText(this.opsOf(buffer) || size(buffer.bytes), from, top, wide, tall);
    });
    const live = this.liveCorners(width).map(([time, bytes]) => `${clamp(x(time)).toFixed(1)},${y(bytes).toFixed(1)}`);
    replace(
      this.root,
      ...byteTicks(most).flatMap((bytes) => [
        svg("line", { class: "grid", x1: left, x2: left + width, y1: y(bytes), y2: y(bytes) }),
        svg("text", { class: "tick", x: left - 7, y: y(bytes) + 4, "text-anchor": "end" }, size(bytes)),
      ]),
      ...rects,
      ...flat(texts),
      svg("polyline", { class: "live", points: live.join(" ") }),
      svg("line", { class: "bound", x1: left, x2: left + width, y1: y(arena.lower_bound), y2: y(arena.lower_bound) }),
      ...this.peakBand(x, clamp, top, bottom),
      ...this.callTicks(x, bottom, width),
    );
    this.note.textContent = small ? `${counted(small, "box")}`.replace("boxs", "boxes") + " too small to be seen; fewer calls show them" : "";
  }

  /** The calls at the peak. */
  peakBand(x, clamp, top, bottom) {
    const [from, to] = [clamp(x(this.arena.peak)), clamp(x(this.arena.peak_end + 1))];
    return to > from ? [svg("rect", { class: "peak", x: from, y: top, width: Math.max(1, to - from), height: bottom - top })] : [];
  }

  /** The line of live bytes in the window; of what has no space, the most. */
  liveCorners(width) {
    const [first, last] = this.window;
    const seen = this.live.filter(([time], index) => time <= last && (this.live[index + 1]?.[0] ?? last) >= first);
    if (seen.length <= 2 * width) return seen;
    const most = new Map();
    for (const [time, bytes] of seen) {
      const place = Math.round(((time - first) / this.span) * (width / 2));
      most.set(place, Math.max(most.get(place) ?? 0, bytes));
    }
    return [...most].map(([place, bytes]) => [first + (place / (width / 2)) * this.span, bytes]);
  }

  /**
   * The names of calls below the chart, in the middle of each, as many as there is space for:
   * the peak's first. None is cut unless the chart is too small for it.
   */
  callTicks(x, bottom, width) {
    const [first, last] = this.window;
    const [left, right] = [8, 76 + width + 8];
    const taken = [];
    const ticks = [];
    const add = (call, end, kind) => {
      if (!this.calls[call]?.name || end + 1 < first || call > last) return;
      const name = kind ? this.life([call, end]) : this.calls[call].name;
      if (this.isNarrow) {
        const middle = x((call + end + 1) / 2);
        if (middle < 76 || taken.some(([begin, end]) => middle + 7 > begin && middle - 7 < end)) return;
        taken.push([middle - 7, middle + 7]);
        const text = clipped(this.calls[call].name.replace(/^main_/, ""), 16);
        ticks.push(
          svg(
            "text",
            { class: `tick ${kind}`.trim(), "text-anchor": "end", transform: `translate(${middle + 4} ${bottom + 6}) rotate(-90)` },
            svg("title", {}, name),
            text,
          ),
        );
        return;
      }
      const place = x((call + end + 1) / 2);
      const text = clipped(name, Math.floor((right - left) / TICK_LETTER));
      const half = (text.length * TICK_LETTER) / 2;
      const middle = kind ? Math.min(right - half, Math.max(left + half, place)) : place;
      const [from, to] = [middle - half - 8, middle + half + 8];
      if (from < left - 8 || to > right + 8 || taken.some(([begin, end]) => from < end && begin < to)) return;
      taken.push([from, to]);
      ticks.push(
        svg("line", { class: "grid", x1: place, x2: place, y1: bottom, y2: bottom + 5 }),
        svg("text", { class: `tick ${kind}`.trim(), x: middle, y: bottom + 19, "text-anchor": "middle" }, svg("title", {}, name), text),
      );
    };
    const { peak, peak_end } = this.arena;
    add(peak, peak_end, "at-peak-name");
    this.calls.forEach((_, call) => (call < peak || call > peak_end) && add(call, call, ""));
    return ticks;
  }

  opsOf(buffer) {
    return buffer.label;
  }
}

/** The words of a text in a box: in lines, or upright in a narrow one; nothing if they do not fit. */
function boxText(text, from, top, wide, tall) {
  const lines = wrapped(text, Math.floor((wide - 8) / BOX_LETTER));
  if (lines && lines.length * BOX_LINE + 4 <= tall) {
    return lines.map((line, number) => svg("text", { class: "in-box", x: from + 5, y: top + 13 + number * BOX_LINE }, line));
  }
  const upright = wrapped(text, Math.floor((tall - 8) / BOX_LETTER));
  if (!upright || upright.length * BOX_LINE + 4 > wide) return null;
  return upright.map((line, number) =>
    svg("text", { class: "in-box", transform: `translate(${from + 13 + number * BOX_LINE} ${top + tall - 5}) rotate(-90)` }, line),
  );
}

/** The words of a text in lines of at most so many letters; null if a word is longer. */
function wrapped(text, most) {
  const lines = [];
  // A line and its number stay together.
  for (const word of text.replace(/\(line (\d+)/, "(line\u00a0$1").split(" ")) {
    if (word.length > most) return null;
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** The corners of the line of the bytes that are live. */
function liveBytes(arena) {
  const changes = [];
  for (const { first, last, bytes } of arena.buffers) changes.push([first, bytes], [last + 1, -bytes]);
  changes.sort((a, b) => a[0] - b[0]);
  const corners = [[0, 0]];
  let bytes = 0;
  for (let index = 0; index < changes.length; ) {
    const [time] = changes[index];
    corners.push([time, bytes]);
    for (; index < changes.length && changes[index][0] === time; index++) bytes += changes[index][1];
    corners.push([time, bytes]);
  }
  corners.push([arena.end, bytes]);
  return corners;
}

/** Round numbers of bytes from zero. */
function byteTicks(most) {
  const rough = most / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((it) => it >= rough) ?? rough;
  const ticks = [];
  for (let bytes = 0; bytes <= most; bytes += step) ticks.push(bytes);
  return ticks;
}
