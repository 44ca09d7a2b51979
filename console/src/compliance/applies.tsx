import { useEffect, useState } from 'preact/hooks';
import { useQuery } from '../data/answers';
import { optionsByIds } from '../data/options';
import { PreviewRequirement } from '../generated/operations/compliance';
import type { HolderKind, PreviewRequirementInput } from '../generated/types';
import { t } from '../i18n/i18n';
import { joinNames } from '../i18n/names';
import { recordFilters } from '../records/declared';
import type { Draft, EditorProps } from '../records/record-type';
import { Button } from '../ui/button';
import { Combobox, type Option } from '../ui/combobox';
import { TextField } from '../ui/field';

/** A filter of a kind, as requirements keep it. */
export type Applies = Readonly<Record<string, unknown>>;

/** The filters of a requirement as they are filled in. Those of other kinds stay while somebody tries a kind. */
export interface AppliesDraft {
  readonly id: string | undefined;
  readonly kind: HolderKind;
  readonly filters: Readonly<Partial<Record<HolderKind, Applies>>>;
}

/** Milliseconds without a change after which the preview is asked for. */
const restMs = 400;

/** Lists the filters of a kind. Its workspace is that of the requirement. */
const fieldsOf = (kind: HolderKind) => recordFilters(kind).filter(({ to }) => to !== 'TEAM');

/** Returns the ids that a filter has for a field, of which one is enough. */
function idsIn(applies: Applies, member: string): readonly string[] {
  const many = applies[`${member}s`];
  const one = applies[member];
  return [...(Array.isArray(many) ? many.map(String) : []), ...(typeof one === 'string' ? [one] : [])];
}

/** Returns the conditions that the form has no field for. */
function othersIn(kind: HolderKind, applies: Applies): Applies {
  const known = new Set(['term', ...fieldsOf(kind).flatMap(({ member }) => [member, `${member}s`])]);
  return Object.fromEntries(Object.entries(applies).filter(([name]) => !known.has(name)));
}

/** Fills in the filter of a requirement. */
export function readAppliesDraft(
  row: { readonly id: string; readonly holderKind: HolderKind; readonly applies: unknown } | undefined,
): AppliesDraft {
  const kind = row?.holderKind ?? 'VEHICLE';
  return { id: row?.id, kind, filters: { [kind]: (row?.applies ?? {}) as Applies } };
}

/** Returns the filter that is filled in. */
export const sentApplies = ({ kind, filters }: AppliesDraft): Applies => filters[kind] ?? {};

/** Describes a filter, for what somebody else has changed. */
export function appliesText(draft: AppliesDraft): string {
  const applies = sentApplies(draft);
  const parts = fieldsOf(draft.kind).flatMap(({ member, label }) => {
    const { length } = idsIn(applies, member);
    return length > 0 ? [`${t(label)} (${length})`] : [];
  });
  const others = othersIn(draft.kind, applies);
  const rest = Object.keys(others).length > 0 ? JSON.stringify(others) : undefined;
  return joinNames(typeof applies.term === 'string' ? applies.term : undefined, ...parts, rest);
}

/** Looks up the names of records by their ids. */
function useOptions(ids: readonly string[]): ReadonlyMap<string, Option> {
  const [found, setFound] = useState<ReadonlyMap<string, Option>>(new Map());
  const key = ids.join();
  useEffect(() => {
    let isOver = false;
    optionsByIds(key ? key.split(',') : []).then((options) => {
      if (!isOver) setFound(new Map(options.map((option) => [option.id, option])));
    });
    return () => {
      isOver = true;
    };
  }, [key]);
  return found;
}

/** Creates the question what a requirement would mean; undefined without a document type. */
function inputOf(draft: Draft, value: AppliesDraft): PreviewRequirementInput | undefined {
  const anyOf = ((draft.anyOf ?? []) as readonly Option[]).map(({ id }) => id);
  if (anyOf.length === 0) return undefined;
  const { teamId } = draft;
  return {
    ...(value.id ? { id: value.id } : typeof teamId === 'string' && teamId && { teamId }),
    ...{ holderKind: value.kind, anyOf, applies: sentApplies(value) },
    ...{ validDays: Number(draft.validDays) || 0, graceDays: Number(draft.graceDays) || 0 },
    ...{ needsFile: draft.needsFile === true, allowNoDate: draft.allowNoDate === true },
  };
}

/** Renders to how many records a requirement would apply, and how many lack it. */
function Preview({ kind, input }: { readonly kind: HolderKind; readonly input: PreviewRequirementInput }) {
  const [asked, ask] = useState(input);
  const key = JSON.stringify(input);
  useEffect(() => {
    const timer = setTimeout(() => ask(input), restMs);
    return () => clearTimeout(timer);
  }, [key]);
  const preview = useQuery(PreviewRequirement, { input: asked }).data?.previewRequirement;
  if (!preview) return <p class="soft small" role="status" />;
  const { count, evaluated, nonCompliant } = preview;
  const lacking = t('compliance.preview_lacking', { n: nonCompliant });
  return (
    <p class="note" role="status">
      {t(`compliance.preview_${kind}`, { n: count })}{' '}
      {count > 0 && (nonCompliant > 0 ? lacking : t('compliance.preview_none'))}{' '}
      {evaluated < count && t('compliance.preview_of', { n: evaluated })}
    </p>
  );
}

/** Renders the filter of a requirement: which records of its kind it applies to. */
export function AppliesEditor({ label, value, violations, onChange, draft }: EditorProps) {
  const own = value as AppliesDraft;
  const kind = draft.holderKind as HolderKind;
  useEffect(() => {
    if (kind !== own.kind) onChange({ ...own, kind });
  }, [kind]);
  const applies = sentApplies(own);
  const fields = fieldsOf(own.kind);
  const names = useOptions(fields.flatMap(({ member }) => idsIn(applies, member)));
  const set = (filter: Applies) => onChange({ ...own, filters: { ...own.filters, [own.kind]: filter } });
  const without = (...members: readonly string[]) =>
    Object.fromEntries(Object.entries(applies).filter(([name]) => !members.includes(name)));
  const others = othersIn(own.kind, applies);
  const input = inputOf(draft, own);
  return (
    <fieldset class="wide stack tight appliesfields">
      <legend class="label">{label}</legend>
      <p class="soft small">{t(`compliance.applies_${own.kind}`)}</p>
      <div class="form">
        <TextField
          label={t('compliance.applies_term')}
          wrong={violations?.get('applies.term')}
          value={typeof applies.term === 'string' ? applies.term : ''}
          onInput={(term) => set(term.trim() ? { ...applies, term } : without('term'))}
        />
        {fields.map(({ member, label: of, find }) => (
          <Combobox
            key={member}
            label={t(of)}
            isMany
            find={find}
            chosen={idsIn(applies, member).map((id) => names.get(id) ?? { id, label: '…' })}
            onChange={(chosen) =>
              set({
                ...without(member, `${member}s`),
                ...(chosen.length > 0 && { [`${member}s`]: chosen.map(({ id }) => id) }),
              })
            }
          />
        ))}
      </div>
      {Object.keys(others).length > 0 && (
        <div class="note">
          <p class="breaks">
            {t('compliance.applies_others')} <code>{JSON.stringify(others)}</code>
          </p>
          <Button onClick={() => set(without(...Object.keys(others)))}>{t('compliance.applies_drop')}</Button>
        </div>
      )}
      {violations?.get('applies') && <p class="late-text small">{violations.get('applies')}</p>}
      {input && <Preview kind={own.kind} input={input} />}
    </fieldset>
  );
}
