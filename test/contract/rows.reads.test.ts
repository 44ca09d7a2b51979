import { describeRows } from './cases.js';
import { rows } from './rows.js';

describeRows(rows.filter(({ method }) => method === 'GET'));
