import { afterAll } from 'vitest';
import { removeFolders } from './folders.js';

// Vitest runs this for each file of tests. A module that several files import is run only for the first of them.
afterAll(removeFolders);
