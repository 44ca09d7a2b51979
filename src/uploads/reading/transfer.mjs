/** Adds what pdf.js needs for fonts and Node.js 20 lacks. The buffer that it was stays as it is. */
export function addTransfer() {
  const { prototype } = /** @type {any} */ (ArrayBuffer);
  /**
   * @this {ArrayBuffer}
   * @param {number | undefined} wanted
   */
  function transferToFixedLength(wanted) {
    const length = wanted ?? this.byteLength;
    const copy = new Uint8Array(length);
    copy.set(new Uint8Array(this, 0, Math.min(length, this.byteLength)));
    return copy.buffer;
  }
  prototype.transferToFixedLength ??= transferToFixedLength;
}
