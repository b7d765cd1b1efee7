// Where one looks at the picture from: moving, zooming, fitting it in.
import { select as on } from 'd3-selection';
import { zoom, zoomIdentity, type ZoomTransform } from 'd3-zoom';
import type { Place } from './layout';

const settleTime = 140; // ms without motion until a large picture is drawn in full
const margin = 40; // px
const readable = 0.6; // zoom to read by
const unreadable = 0.3;
const narrow = 500; // px

export class Camera {
  transform: ZoomTransform = zoomIdentity;
  /** Moved by the reader, and so not to be moved when the window changes. */
  touched = false;
  private movingUntil = 0;
  private readonly behaviour = zoom<HTMLCanvasElement, unknown>().scaleExtent([0.005, 8]);

  constructor(
    private readonly canvas: HTMLCanvasElement,
    moved: () => void,
  ) {
    // The wheel scrolls the page unless the reader is at work in the picture; so does one finger.
    this.behaviour.filter((event: MouseEvent | TouchEvent) =>
      'touches' in event
        ? event.touches.length > 1
        : event.type === 'wheel'
          ? event.ctrlKey || document.activeElement === canvas
          : !event.button,
    );
    this.behaviour.on('zoom', (event: { transform: ZoomTransform; sourceEvent: unknown }) => {
      this.transform = event.transform;
      if (event.sourceEvent) this.touched = true;
      this.movingUntil = performance.now() + settleTime;
      moved();
    });
    on(canvas).call(this.behaviour).on('dblclick.zoom', null);
  }

  /** Milliseconds until it comes to rest. */
  moving(): number {
    return Math.max(0, this.movingUntil - performance.now());
  }

  zoomBy(factor: number): void {
    this.behaviour.scaleBy(on(this.canvas), factor);
  }

  onScreen({ x, y }: Place): [number, number] {
    return this.transform.apply([x, y]);
  }

  /** Brings a place into view, and close enough to be seen. */
  reveal(place: Place): void {
    const far = this.transform.k < unreadable;
    if (far) this.behaviour.scaleTo(on(this.canvas), readable);
    const [x, y] = this.onScreen(place);
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const inside = x > margin && y > margin && x < width - margin && y < height - margin;
    if (far || !inside) this.behaviour.translateTo(on(this.canvas), place.x, place.y);
  }

  /** Everything; or at first, where that is too small to read, as much as can be read. */
  fit(places: Place[], radius: number[], atFirst = false): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    places.forEach(({ x, y }, i) => {
      left = Math.min(left, x - radius[i]);
      right = Math.max(right, x + radius[i]);
      top = Math.min(top, y - radius[i] - 10);
      bottom = Math.max(bottom, y + radius[i] + 18);
    });
    const scale = Math.min(
      1.5,
      (width - 2 * margin) / Math.max(1, right - left),
      (height - margin) / Math.max(1, bottom - top),
    );
    if (atFirst && width < narrow && scale < readable) {
      const y = height / 2 - readable * places[0].y;
      const begin = zoomIdentity.translate(margin - readable * left, y).scale(readable);
      this.behaviour.transform(on(this.canvas), begin);
      this.touched = false;
      return;
    }
    const transform = zoomIdentity
      .translate(width / 2, height / 2)
      .scale(scale)
      .translate(-(left + right) / 2, -(top + bottom) / 2);
    this.behaviour.transform(on(this.canvas), transform);
    this.touched = false;
  }
}
