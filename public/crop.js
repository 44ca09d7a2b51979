// Crops pictures on the page of a request for a document. It is loaded when somebody wants to crop one.

import {
  drawPage,
  drawWhole,
  findPage,
  moveCorner,
  pointByKey,
  pointByPointer,
  wholePicture,
} from './page-picture.js';

/** Pixels of the longest side of a picture on the screen. */
const shownPixels = 720;

/**
 * Lets somebody move the corners of a page in its photo. They are found first.
 * @param {Blob} photo
 * @param {HTMLElement} place where the editor stands
 * @param {{ readonly corners: string, readonly whole: string, readonly cropped: string }} words the names of the corners are
 *   separated by bars
 * @returns {Promise<Blob | undefined>} the page alone; undefined for the whole picture
 */
async function crop(photo, place, words) {
  let page = await findPage({ photo, turns: 0, corners: wholePicture });
  const drawn = await drawWhole(page, shownPixels);
  drawn.setAttribute('aria-hidden', 'true');
  const box = document.createElement('div');
  box.className = 'cornerbox';
  const space = 'http://www.w3.org/2000/svg';
  const lines = document.createElementNS(space, 'svg');
  lines.setAttribute('viewBox', '0 0 1 1');
  lines.setAttribute('preserveAspectRatio', 'none');
  lines.setAttribute('aria-hidden', 'true');
  const polygon = lines.appendChild(document.createElementNS(space, 'polygon'));
  const corners = words.corners.split('|').map((name, at) => {
    const corner = document.createElement('button');
    corner.type = 'button';
    corner.className = 'corner';
    corner.title = name;
    corner.setAttribute('aria-label', name);
    /** @param {import('./page-picture.js').Point | undefined} to */
    const move = (to) => {
      if (!to) return;
      page = { ...page, corners: moveCorner(page.corners, at, to) };
      show();
    };
    corner.onpointerdown = (event) => corner.setPointerCapture(event.pointerId);
    corner.onpointermove = (event) => move(pointByPointer(event, box));
    corner.onkeydown = (event) => move(pointByKey(event, page.corners[at] || { x: 0, y: 0 }));
    return corner;
  });
  const show = () => {
    polygon.setAttribute('points', page.corners.map(({ x, y }) => `${x},${y}`).join(' '));
    page.corners.forEach(({ x, y }, at) => {
      const corner = corners[at];
      if (!corner) return;
      corner.style.left = `${100 * x}%`;
      corner.style.top = `${100 * y}%`;
    });
  };
  show();
  box.append(drawn, lines, ...corners);
  /** @param {string} text @param {string} name */
  const button = (text, name) => {
    const made = document.createElement('button');
    made.type = 'button';
    made.className = name;
    made.textContent = text;
    return made;
  };
  const [done, whole] = [button(words.cropped, ''), button(words.whole, 'quiet')];
  place.append(box, done, whole);
  done.focus();
  const isCropped = await new Promise((choose) => {
    done.onclick = () => choose(true);
    whole.onclick = () => choose(false);
  });
  place.textContent = '';
  if (!isCropped) return undefined;
  const canvas = await drawPage(page);
  return new Promise((made) => canvas.toBlob((blob) => made(blob || photo), 'image/jpeg', 0.9));
}

// The page's script cannot import this one, because browsers of early 2018 lack dynamic imports. It waits for this event.
dispatchEvent(new CustomEvent('crop', { detail: crop }));
