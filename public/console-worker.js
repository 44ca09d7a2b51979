/**
 * The console's service worker. It keeps the page and its files, so that the console opens without a connection. It
 * keeps no answer of the gateway: what somebody has read is the page's own matter, and ends with their session. The
 * gateway writes `settings` above this text: the paths of the screens, and the files of its version.
 */

/** @type {{ version: string, screens: readonly string[], files: readonly string[] }} */
const { version, screens, files } = self.settings;

/** Name of this version's files. Others belong to earlier versions. */
const name = `console ${version}`;
/** What is kept besides, and may be another one in the same version. */
const others = ['/console/config.json', '/favicon.svg'];

/** Returns whether a path is a screen of the console. `{id}` stands for one segment. @param {string} path */
function isScreen(path) {
  const parts = path.split('/');
  return screens.some((screen) => {
    const wanted = screen.split('/');
    return (
      wanted.length === parts.length && wanted.every((part, at) => part === '{id}' || part === parts[at])
    );
  });
}

async function install() {
  const cache = await caches.open(name);
  // The page is asked for as browsers do; others get a page of links.
  await cache.add(new Request('/', { headers: { Accept: 'text/html' }, cache: 'no-cache' }));
  await cache.addAll([...files, ...others]);
  await self.skipWaiting();
}

async function activate() {
  const earlier = (await caches.keys()).filter((key) => key.startsWith('console ') && key !== name);
  await Promise.all(earlier.map((key) => caches.delete(key)));
  // The gateway is asked while the worker starts, so that opening a page takes no longer.
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

/**
 * Asks the gateway, and takes what is kept if it cannot be reached, or a proxy says so.
 * @param {() => Promise<Response>} asking @param {string} kept
 */
async function fromGateway(asking, kept) {
  const answer = await asking().catch(() => Response.error());
  if (answer.ok || (answer.status > 0 && answer.status < 500) || answer.type === 'opaqueredirect')
    return answer;
  const cache = await caches.open(name);
  return (await cache.match(kept, { ignoreVary: true })) ?? answer;
}

/** Takes a file of this version, whose name has its hash. @param {Request} request */
async function fromCache(request) {
  const cache = await caches.open(name);
  return (await cache.match(request, { ignoreVary: true })) ?? fetch(request);
}

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') {
    const asking = async () => (await event.preloadResponse) ?? fetch(request);
    // The gateway was asked already. Where a worker does not answer, the browser asks once more.
    event.respondWith(isScreen(pathname) ? fromGateway(asking, '/') : asking());
  } else if (others.includes(pathname)) event.respondWith(fromGateway(() => fetch(request), pathname));
  else if (files.includes(pathname)) event.respondWith(fromCache(request));
});
