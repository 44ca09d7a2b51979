import type { DataOf } from '../../data/operation';
import type { Upload } from '../../generated/operations/inbox';
import { formatDay } from '../../i18n/dates';
import { formatNumber, t } from '../../i18n/i18n';
import { Badge } from '../../ui/status';

/** An upload that somebody looks at. */
export type OpenUpload = NonNullable<DataOf<typeof Upload>['record']>;

type Suggestion = OpenUpload['suggestions'][number];

/** Returns what was found in a document for a field, each value once. */
export const foundFor = ({ suggestions }: OpenUpload, wanted: Suggestion['field']): readonly Suggestion[] =>
  suggestions.filter(({ field }) => field === wanted);

/** Returns the dates that were found in a document, each once. */
export const datesIn = (upload: OpenUpload): readonly Suggestion[] => foundFor(upload, 'EXPIRATION_DATE');

/** Says where in the document a suggestion stands. */
const placeOf = ({ words, page }: Suggestion): string =>
  [words && `“${words}”`, page && page > 1 && t('inbox.page', { n: page })].filter(Boolean).join(' · ');

interface ChoosingProps {
  readonly upload: OpenUpload;
  /** The chosen date. */
  readonly date: string;
  readonly onChoose: (date: string) => void;
}

/** Returns the page of a date in the document; 1 if it is unknown. */
export const pageOf = (upload: OpenUpload, date: string): number =>
  datesIn(upload).find(({ value }) => value === date)?.page ?? 1;

/** Renders the frames of the dates on a page of a document. A click takes the date. */
export function Frames({ upload, date, onChoose, page: shown }: ChoosingProps & { readonly page: number }) {
  return datesIn(upload).map(
    ({ value, box, page }) =>
      box &&
      page === shown && (
        <button
          key={value}
          type="button"
          class="frame"
          aria-pressed={value === date}
          aria-label={formatDay(value)}
          title={formatDay(value)}
          style={{
            left: `${100 * box.x}%`,
            top: `${100 * box.y}%`,
            width: `${100 * box.width}%`,
            height: `${100 * box.height}%`,
          }}
          onClick={() => onChoose(value)}
        />
      ),
  );
}

interface FoundProps {
  readonly legend: string;
  readonly found: readonly Suggestion[];
  /** The chosen value, if it is one of these. */
  readonly chosen: string | undefined;
  readonly show?: (value: string) => string;
  readonly onChoose: (value: string) => void;
}

/** Renders what was found for a field, to choose from. Arrow keys choose, and Enter files the upload. */
export function Found({ legend, found, chosen, show = (value) => value, onChoose }: FoundProps) {
  if (found.length === 0) return null;
  return (
    <fieldset class="found wide">
      <legend>{legend}</legend>
      {found.map((suggestion) => (
        <label key={suggestion.value} title={suggestion.reason}>
          <input
            type="radio"
            name={`found-${suggestion.field}`}
            checked={suggestion.value === chosen}
            onChange={() => onChoose(suggestion.value)}
          />
          <span>
            <span class="line">
              <span class="strong num">{show(suggestion.value)}</span>
              <Badge urgency={suggestion.confidence < 85 ? 'near' : 'good'}>
                {t('inbox.certainty', { n: formatNumber(suggestion.confidence) })}
              </Badge>
            </span>
            <span class="soft small block">{placeOf(suggestion)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Renders the number of a document and the name of its holder, if known. */
export function OtherFindings({ upload }: { readonly upload: OpenUpload }) {
  const labels = { DOCUMENT_NUMBER: 'inbox.number', NAME: 'inbox.holder' } as const;
  const others = upload.suggestions.flatMap(({ field, value, source }) =>
    field === 'DOCUMENT_NUMBER' || (field === 'NAME' && source !== 'WORKSPACE')
      ? [`${t(labels[field])}: ${value}`]
      : [],
  );
  return others.length > 0 ? <p class="soft small">{others.join(' · ')}</p> : null;
}
