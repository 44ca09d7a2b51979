import { Unsent } from '../../app/unsent';
import type { RecordKind } from '../../generated/types';
import { t } from '../../i18n/i18n';
import { Button, IconButton } from '../../ui/button';
import { Combobox, type Option } from '../../ui/combobox';
import { Check, SelectField, TextArea, TextField } from '../../ui/field';
import { labelOfField } from '../labels';
import { choiceText, type FieldSpec } from '../record-type';
import type { CustomValue, Draft } from './draft';
import { rulesOf } from './rules';

/** Renders the custom fields: a name and a value in each row. */
function CustomFields({
  label,
  values,
  isNamesOnly,
  onChange,
}: {
  readonly label: string;
  readonly isNamesOnly: boolean;
  readonly values: readonly CustomValue[];
  readonly onChange: (values: readonly CustomValue[]) => void;
}) {
  const change = (at: number, changes: Partial<CustomValue>) =>
    onChange(values.map((row, index) => (index === at ? { ...row, ...changes } : row)));
  return (
    <fieldset class="wide ownfields">
      <legend class="label">{label}</legend>
      {values.map((row, at) => (
        <div class="ownfield" key={row.id ?? at}>
          <input
            class="input"
            aria-label={t('records.field_name')}
            placeholder={t('records.field_name')}
            value={row.name}
            onInput={({ currentTarget }) => change(at, { name: currentTarget.value })}
          />
          {!isNamesOnly && (
            <input
              class="input"
              aria-label={row.name || t('records.field_value')}
              placeholder={t('records.field_value')}
              value={row.value}
              onInput={({ currentTarget }) => change(at, { value: currentTarget.value })}
            />
          )}
          <IconButton
            icon="trash"
            label={t('common.remove', { name: row.name })}
            onClick={() => onChange(values.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <Button icon="plus" weight="bare" onClick={() => onChange([...values, { name: '', value: '' }])}>
        {t('records.add_field')}
      </Button>
    </fieldset>
  );
}

/** Finds the error of a field, or the first one inside it. */
function wrongOf(violations: ReadonlyMap<string, string> | undefined, name: string): string | undefined {
  if (!violations) return undefined;
  const inner = [...violations].find(([path]) => path.startsWith(`${name}.`));
  return violations.get(name) ?? inner?.[1];
}

interface FormFieldProps<Row> {
  readonly kind: RecordKind | undefined;
  readonly field: FieldSpec<Row>;
  /** The record as it was when the form was opened; undefined for a new one. */
  readonly row: Row | undefined;
  readonly value: unknown;
  readonly violations: ReadonlyMap<string, string> | undefined;
  readonly onChange: (value: unknown) => void;
}

function FormField<Row>({ kind, field, row, value, violations, onChange }: FormFieldProps<Row>) {
  const wrong = wrongOf(violations, field.name);
  const props = {
    label: labelOfField(kind, field),
    hint: field.hint && t(field.hint),
    wrong,
    ...(field.isWide && { isWide: true }),
  };
  switch (field.type) {
    case 'record': {
      const chosen = value as Option | undefined;
      return (
        <Combobox
          {...props}
          chosen={chosen ? [chosen] : []}
          onChange={([option]) => onChange(option)}
          find={field.find}
          empty={field.otherwise?.(row) ?? (field.empty && t(field.empty))}
        />
      );
    }
    case 'own':
      return <field.Editor label={props.label} value={value} violations={violations} onChange={onChange} />;
    case 'check':
      return <Check label={props.label} checked={value === true} onChange={onChange} />;
    case 'custom':
      return (
        <CustomFields
          label={props.label}
          isNamesOnly={field.isNamesOnly ?? false}
          values={value as readonly CustomValue[]}
          onChange={onChange}
        />
      );
    case 'choice':
      return (
        <SelectField
          {...props}
          value={String(value ?? '')}
          onChange={onChange}
          choices={[
            ...(field.isNeeded ? [] : [{ value: '', label: t('common.none') }]),
            ...field.choices.map((choice) => ({ value: choice.value, label: choiceText(choice) })),
          ]}
        />
      );
    case 'area':
      return <TextArea {...props} isWide value={String(value ?? '')} onInput={onChange} />;
    case 'number':
      return (
        <TextField
          {...props}
          control={{ type: 'number', inputMode: 'numeric', ...field.control }}
          value={String(value ?? '')}
          onInput={onChange}
        />
      );
    default:
      return (
        <TextField
          {...props}
          control={{ ...(rulesOf(kind, field).required && { required: true }), ...field.control }}
          value={String(value ?? '')}
          onInput={onChange}
        />
      );
  }
}

/** Renders the fields of a form, each with its error. */
export function Fields<Row>({
  kind,
  fields,
  row,
  draft,
  violations,
  onChange,
}: {
  readonly kind: RecordKind | undefined;
  readonly fields: readonly FieldSpec<Row>[];
  readonly row: Row | undefined;
  readonly draft: Draft;
  readonly violations: ReadonlyMap<string, string> | undefined;
  readonly onChange: (draft: Draft) => void;
}) {
  return (
    <div class="form">
      {fields.map((field) => {
        const drawn = (
          <FormField
            key={field.name}
            kind={kind}
            field={field}
            row={row}
            value={draft[field.name]}
            violations={violations}
            onChange={(value) => onChange({ ...draft, [field.name]: value })}
          />
        );
        if (!field.isReminding) return drawn;
        return (
          <div key={field.name} class="stack tight">
            {drawn}
            <Unsent isSmall />
          </div>
        );
      })}
    </div>
  );
}
