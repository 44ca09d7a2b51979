/** Prefix of the state of a sign-in in another window. */
export const windowPrefix = 'window.';

const channelName = 'expiration-gateway.sign-in';

/** Opens the window in which a person signs in again. @returns null if the browser blocks it */
export const openWindow = (): Window | null => window.open('', '', 'popup,width=520,height=680');

/** Passes the address from the issuer on to the opening page, and closes this window. */
export function tellOpener(address: string): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(address);
  channel.close();
  window.close();
}

let listening: BroadcastChannel | undefined;

/** Waits until the window returns from the issuer with a state. @returns its address */
export function waitForWindow(state: string): Promise<URL> {
  listening?.close();
  const channel = new BroadcastChannel(channelName);
  listening = channel;
  return new Promise((resolve) => {
    channel.addEventListener('message', ({ data }) => {
      const address = new URL(String(data), location.href);
      if (address.searchParams.get('state') !== state) return;
      channel.close();
      resolve(address);
    });
  });
}
