// A vertex of a front that can be chosen, by mouse and by keyboard.
import { svg } from '../dom';
import type { Picture } from './front';

/** All vertices, of which one is chosen at a time. */
export function vertices(picture: Picture): SVGCircleElement[] {
  const choose = (i: number) => {
    marks.forEach((mark, k) => mark.classList.toggle('chosen', k === i));
    picture.choose(i);
  };
  const marks = picture.front.vertices.map((_, i) =>
    svg(
      'circle',
      {
        r: 5,
        class: 'vertex',
        tabindex: 0,
        role: 'button',
        'aria-label': picture.text(i),
        onclick: () => choose(i),
        onkeydown: (event: KeyboardEvent) => {
          if (event.key !== 'Enter' && event.key !== ' ') return;
          event.preventDefault();
          choose(i);
        },
      },
      svg('title', {}, picture.text(i)),
    ),
  );
  marks[0].classList.add('chosen');
  return marks;
}
