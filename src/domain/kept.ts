/**
 * Values attached to parsed documents and to plans, as a WeakMap has them. All else that lives with an object is a
 * field of it. They are in the objects themselves: V8 frees nothing that is in a WeakMap before a full garbage
 * collection, though its key is gone, and all that it leads to is copied as if it were in use. Unlike in a
 * WeakMap, a copy of an object has what is kept with it.
 */
export class Kept<Of extends object, Value> {
  readonly #key = Symbol();

  get(of: Of): Value | undefined {
    return (of as { readonly [key: symbol]: Value | undefined })[this.#key];
  }

  /** Returns the value of an object; makes and keeps one if there is none. */
  ensure(of: Of, make: () => Value): Value {
    let value = this.get(of);
    if (value === undefined) {
      value = make();
      this.set(of, value);
    }
    return value;
  }

  /** Keeps a value with an object, in place of the one before. */
  set(of: Of, value: Value | undefined): void {
    (of as { [key: symbol]: Value | undefined })[this.#key] = value;
  }
}
