import type { ScreenProps } from '../app/screen';
import '../records/records.css';
import { NewImport } from './imports/new';
import { ImportPage } from './imports/page';
import './imports.css';

/** Renders the choice of a file, or an import from its preview to its result. */
export default function ImportsScreen({ id }: ScreenProps) {
  return id ? <ImportPage key={id} id={id} /> : <NewImport />;
}
