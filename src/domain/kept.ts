/**
 * Values attached to parsed documents and plans, like in a WeakMap. They are stored in the objects
 * themselves: V8 frees WeakMap entries only in a full garbage collection, even if their keys are gone, and
 * copies everything they lead to as if it were in use. Unlike with a WeakMap, a copy of an object has the
 * same values. For other objects, use an ordinary field.
 */
export class Kept<Of extends object, Value> {
  readonly #key = Symbol();

  get(of: Of): Value | undefined {
    return (of as { readonly [key: symbol]: Value | undefined })[this.#key];
  }

  /** Returns the value of an object, creating it if there is none. */
  ensure(of: Of, make: () => Value): Value {
    let value = this.get(of);
    if (value === undefined) {
      value = make();
      this.set(of, value);
    }
    return value;
  }

  /** Sets the value of an object. */
  set(of: Of, value: Value | undefined): void {
    (of as { [key: symbol]: Value | undefined })[this.#key] = value;
  }
}
