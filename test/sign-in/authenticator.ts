import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();

/** Encodes a byte string of CBOR (RFC 8949 section 3.1). */
function cborBytes(bytes: Uint8Array): Buffer {
  const head =
    bytes.length < 24
      ? [0x40 + bytes.length]
      : bytes.length < 256
        ? [0x58, bytes.length]
        : [0x59, bytes.length >> 8, bytes.length & 255];
  return Buffer.concat([Buffer.from(head), bytes]);
}

/** Encodes a short text of CBOR. */
const cborText = (text: string) => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);

/** Bits of the authenticator's data: somebody is there, was verified, and there is a new credential. */
const [present, verified, attested] = [0x01, 0x04, 0x40] as const;

/** An authenticator with one passkey (WebAuthn section 6.1, ES256). */
export class Authenticator {
  readonly id = randomBytes(32);
  counter = 0;
  readonly #publicKey: KeyObject;
  readonly #privateKey: KeyObject;
  readonly #verifies: boolean;

  constructor(verifies = true) {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#publicKey = publicKey;
    this.#privateKey = privateKey;
    this.#verifies = verifies;
  }

  #data(host: string, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(++this.counter);
    return Buffer.concat([sha256(host), Buffer.from([flags | (this.#verifies ? verified : 0)]), counter]);
  }

  #clientData(type: string, challenge: string, origin: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  /** Creates the passkey, as a browser at an origin does. */
  create(challenge: string, origin: string) {
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' });
    const coordinate = (text: string) => cborBytes(Buffer.from(text, 'base64url'));
    const key = Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      coordinate(x),
      Buffer.from([0x22]),
      coordinate(y),
    ]);
    const length = Buffer.from([0, this.id.length]);
    const data = Buffer.concat([
      this.#data(new URL(origin).hostname, present | attested),
      Buffer.alloc(16),
      length,
      this.id,
      key,
    ]);
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      ...[cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.from([0xa0])],
      ...[cborText('authData'), cborBytes(data)],
    ]);
    const clientDataJSON = base64url(this.#clientData('webauthn.create', challenge, origin));
    return this.#answer({
      clientDataJSON,
      attestationObject: base64url(attestation),
      transports: ['internal'],
    });
  }

  /** Uses the passkey. */
  get(challenge: string, origin: string) {
    const data = this.#data(new URL(origin).hostname, present);
    const client = this.#clientData('webauthn.get', challenge, origin);
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), this.#privateKey);
    return this.#answer({
      ...{ clientDataJSON: base64url(client), authenticatorData: base64url(data) },
      signature: base64url(signature),
    });
  }

  #answer<Response>(response: Response) {
    const id = base64url(this.id);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }
}
