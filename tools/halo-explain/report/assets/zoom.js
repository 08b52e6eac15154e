// Moving and scaling a drawing: by wheel, fingers, drag, keys and buttons.

class Zoom {
  /** `changed` is called after each change, at most once for each frame. */
  constructor(root, changed) {
    this.root = root;
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    this.changed = changed;
    this.pointers = new Map();
    this.moved = 0;
    root.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
    root.addEventListener("pointerdown", (event) => this.onDown(event));
    root.addEventListener("pointermove", (event) => this.onMove(event));
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
      root.addEventListener(name, (event) => this.onUp(event));
    }
    // A click that ends a drag is none.
    root.addEventListener("click", (event) => this.moved > 6 && event.stopPropagation(), true);
    root.addEventListener("keydown", (event) => this.onKey(event));
  }

  get size() {
    const { clientWidth, clientHeight } = this.root;
    return [clientWidth || 800, clientHeight || 500];
  }

  update() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.changed();
    });
  }

  /** Scales around a point of the window of the drawing. */
  scaleBy(factor, [x, y] = this.size.map((it) => it / 2)) {
    const scale = Math.min(4, Math.max(0.01, this.scale * factor));
    this.x = x - ((x - this.x) * scale) / this.scale;
    this.y = y - ((y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.update();
  }

  moveBy(x, y) {
    this.x += x;
    this.y += y;
    this.update();
  }

  /** Shows a rectangle of the drawing as a whole, but not smaller than `least`. */
  fit({ left, top, right, bottom }, least = 0.01, most = 1) {
    const [width, height] = this.size;
    const scale = Math.min((width - 40) / (right - left || 1), (height - 40) / (bottom - top || 1));
    this.scale = Math.min(most, Math.max(least, scale));
    this.x = (width - (left + right) * this.scale) / 2;
    const isWhole = (bottom - top) * this.scale <= height;
    this.y = isWhole ? (height - (top + bottom) * this.scale) / 2 : 20 - top * this.scale;
    this.update();
  }

  /** Brings a point of the drawing to the middle. */
  center(x, y, least = 0.8) {
    const [width, height] = this.size;
    this.scale = Math.max(this.scale, least);
    this.x = width / 2 - x * this.scale;
    this.y = height / 2 - y * this.scale;
    this.update();
  }

  point(event) {
    const box = this.root.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  onWheel(event) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 24 : 1;
    this.scaleBy(Math.exp((-event.deltaY * lines) / 500), this.point(event));
  }

  onDown(event) {
    this.pointers.set(event.pointerId, this.point(event));
    if (this.pointers.size === 1) this.moved = 0;
  }

  onMove(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = this.point(event);
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    this.moved += Math.abs(dx) + Math.abs(dy);
    if (this.moved > 6) this.root.setPointerCapture?.(event.pointerId);
    if (this.pointers.size === 2) {
      const [, other] = [...this.pointers].find(([id]) => id !== event.pointerId);
      const far = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]) || 1;
      this.scaleBy(far(now) / far(before), other);
    } else this.moveBy(dx, dy);
    this.pointers.set(event.pointerId, now);
  }

  onUp(event) {
    this.pointers.delete(event.pointerId);
  }

  onKey(event) {
    const step = 60;
    const actions = {
      "+": () => this.scaleBy(1.25),
      "=": () => this.scaleBy(1.25),
      "-": () => this.scaleBy(0.8),
      ArrowLeft: () => this.moveBy(step, 0),
      ArrowRight: () => this.moveBy(-step, 0),
      ArrowUp: () => this.moveBy(0, step),
      ArrowDown: () => this.moveBy(0, -step),
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  }
}
