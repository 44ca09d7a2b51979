import type { ComponentChildren } from 'preact';
import { addressOf } from '../app/addresses';
import { hasTeams } from '../app/session';
import { Unsent } from '../app/unsent';
import type { RecordKind } from '../generated/types';
import { formatDay } from '../i18n/dates';
import { formatNumber, t } from '../i18n/i18n';
import { shownName } from '../i18n/names';
import { Icon } from '../ui/icon';
import { kindNamedBy } from './declared';
import type { CustomValue } from './form/draft';
import { labelOfField } from './labels';
import { choiceText, type FieldSpec, type Stored } from './record-type';

/** Reads a value by its name, which the types of rows do not know. */
function valueIn<Row>(row: Row, name: string): unknown {
  return (row as Readonly<Record<string, unknown>>)[name];
}

/** Returns the address that a value leads to: mail, phone or web page. */
function linkOf(type: string | undefined, text: string): string | undefined {
  if (type === 'email') return `mailto:${encodeURIComponent(text).replaceAll('%40', '@')}`;
  if (type === 'tel') return `tel:${text.replace(/[^\d+]/g, '')}`;
  return type === 'url' && /^https?:\/\//i.test(text) ? text : undefined;
}

interface ValueProps<Row> {
  readonly kind: RecordKind | undefined;
  readonly field: FieldSpec<Row>;
  readonly row: Row;
}

function Value<Row>({ kind, field, row }: ValueProps<Row>): ComponentChildren {
  const value = valueIn(row, field.name);
  const of = kindNamedBy(kind, field.name);
  if (field.fact) return field.fact(row);
  switch (field.type) {
    case 'record': {
      const chosen = field.chosen(row);
      const href = chosen && of && addressOf(of, chosen.id);
      if (href) return <a href={href}>{shownName(chosen.label)}</a>;
      return <span>{chosen?.label ?? field.otherwise?.(row)}</span>;
    }
    case 'check':
      return <Icon name="check" />;
    case 'choice': {
      const choice = field.choices.find((one) => one.value === value);
      return <span>{choice && choiceText(choice)}</span>;
    }
    case 'records':
      return (
        <span class="commas">
          {field.chosen(row).map(({ id, label }) => {
            const href = of && addressOf(of, id);
            return <span key={id}>{href ? <a href={href}>{shownName(label)}</a> : shownName(label)}</span>;
          })}
        </span>
      );
    case 'date':
      return <span>{formatDay(String(value))}</span>;
    case 'own':
      return <span>{field.words(field.read(row))}</span>;
    case 'number':
      return <span class="num">{field.isPlain ? String(value) : formatNumber(Number(value))}</span>;
    case 'area':
      return <span class="pre">{String(value)}</span>;
    default: {
      const href = linkOf(field.type === 'text' ? String(field.control?.type) : undefined, String(value));
      return href ? (
        <a href={href} {...(href.startsWith('http') && { target: '_blank', rel: 'noreferrer' })}>
          {String(value)}
        </a>
      ) : (
        <span>{String(value)}</span>
      );
    }
  }
}

/** Returns whether a field has something to show. */
function isFilled<Row>(field: FieldSpec<Row>, row: Row): boolean {
  const value = valueIn(row, field.name);
  if (field.type === 'custom' || field.fact === false) return false;
  if (field.fact) return Boolean(field.fact(row));
  if (field.type === 'own') return field.words(field.read(row)) !== '';
  if (field.type === 'record') return field.chosen(row) !== undefined || field.otherwise !== undefined;
  if (field.type === 'files') return false;
  if (field.type === 'records') return field.chosen(row).length > 0;
  if (field.type === 'check') return value === (field.values?.[0] ?? true);
  return value !== null && value !== undefined && value !== '';
}

/** Renders a record field by field. */
export function Facts<Row>({
  kind,
  fields,
  row,
}: {
  readonly kind?: RecordKind;
  readonly fields: readonly FieldSpec<Row>[];
  readonly row: Row;
}) {
  const { team } = row as Partial<Stored>;
  const valuesOf = (name: string) => valueIn(row, name) as readonly CustomValue[];
  const customs = fields.filter((field) => field.type === 'custom');
  // A document type names fields that a record need not have.
  const own = customs.flatMap(({ name, isNamesOnly, isValuesOnly }) =>
    isNamesOnly ? [] : valuesOf(name).filter(({ value }) => value || !isValuesOnly),
  );
  const filled = fields.filter((field) => isFilled(field, row));
  return (
    <dl class="facts">
      {filled.map((field) => (
        <div class="fact" key={field.name}>
          <dt>{labelOfField(kind, field)}</dt>
          <dd>
            <Value kind={kind} field={field} row={row} />
            {field.isReminding === true && <Unsent teamId={team?.id} isSmall />}
          </dd>
        </div>
      ))}
      {customs
        .filter((field) => field.isNamesOnly && valuesOf(field.name).length > 0)
        .map((field) => (
          <div class="fact" key={field.name}>
            <dt>{labelOfField(kind, field)}</dt>
            <dd>
              {valuesOf(field.name)
                .map(({ name }) => name)
                .join(', ')}
            </dd>
          </div>
        ))}
      {own.map(({ id, name, value }) => (
        <div class="fact" key={id}>
          <dt>{name}</dt>
          <dd class="pre">{value}</dd>
        </div>
      ))}
      {hasTeams() && team && (
        <div class="fact">
          <dt>{t('fields.team')}</dt>
          <dd>{team.name}</dd>
        </div>
      )}
    </dl>
  );
}
