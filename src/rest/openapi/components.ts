/** A part of the document: a JSON object. */
export type OpenApiNode = Readonly<Record<string, unknown>>;

type Section = 'schemas' | 'responses' | 'parameters' | 'headers';

/** The parts of the document that others refer to. */
export interface Components {
  /**
   * Returns a `$ref` to a component, which is created on first use. So the document has no unused components.
   */
  ref(section: Section, name: string, make: () => OpenApiNode): OpenApiNode;
  /** Returns the components created so far, by section and name. */
  all(): OpenApiNode;
}

/** Starts the `components` of a document. */
export function createComponents(): Components {
  const sections = new Map<Section, Map<string, OpenApiNode>>();
  return {
    ref(section, name, make) {
      const parts = sections.get(section) ?? new Map<string, OpenApiNode>();
      sections.set(section, parts);
      if (!parts.has(name)) {
        // Reserve the name first, because a type may contain itself.
        parts.set(name, {});
        parts.set(name, make());
      }
      return { $ref: `#/components/${section}/${name}` };
    },
    all: () =>
      Object.fromEntries(
        [...sections].map(([section, parts]) => [section, Object.fromEntries(sorted(parts))]),
      ),
  };
}

/** Lists the parts by name, so that a new one does not move the others. */
function sorted(parts: ReadonlyMap<string, OpenApiNode>): [string, OpenApiNode][] {
  return [...parts].sort(([a], [b]) => (a < b ? -1 : 1));
}
