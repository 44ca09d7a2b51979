import { type ASTNode, type DocumentNode, type FragmentDefinitionNode, Kind, visit } from 'graphql';

/** Parts that a document can do without, though it may not be valid then. */
const optional: ReadonlySet<string> = new Set([
  Kind.FIELD,
  Kind.INLINE_FRAGMENT,
  Kind.FRAGMENT_SPREAD,
  Kind.DIRECTIVE,
  Kind.ARGUMENT,
]);

/** Names in a document of one kind of node. */
function namesOf(document: DocumentNode, kind: Kind.FRAGMENT_SPREAD | Kind.VARIABLE): Set<string> {
  const names = new Set<string>();
  visit(document, {
    VariableDefinition: () => false,
    enter: (node) => {
      if (node.kind === kind) names.add(node.name.value);
    },
  });
  return names;
}

/** Returns the same document without the fragments and variables that nothing uses. */
function tidy(document: DocumentNode): DocumentNode {
  const [spread, used] = [namesOf(document, Kind.FRAGMENT_SPREAD), namesOf(document, Kind.VARIABLE)];
  const isUnused = (node: ASTNode) =>
    (node.kind === Kind.FRAGMENT_DEFINITION && !spread.has((node as FragmentDefinitionNode).name.value)) ||
    (node.kind === Kind.VARIABLE_DEFINITION && !used.has(node.variable.name.value));
  let removed = false;
  const left: DocumentNode = visit(document, {
    enter: (node) => {
      if (!isUnused(node)) return undefined;
      removed = true;
      return null;
    },
  });
  return removed ? tidy(left) : left;
}

/** Creates the documents that lack one part of another each, the largest parts first. */
export function* smaller(document: DocumentNode): Generator<DocumentNode> {
  const parts: ASTNode[] = [];
  visit(document, { enter: (node) => void (optional.has(node.kind) && parts.push(node)) });
  const sizeOf = ({ loc }: ASTNode) => (loc ? loc.end - loc.start : 0);
  for (const part of parts.sort((one, other) => sizeOf(other) - sizeOf(one))) {
    yield tidy(visit(document, { enter: (node) => (node === part ? null : undefined) }));
  }
}
