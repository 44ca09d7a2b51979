import { testGrowth } from './growth.support.js';

testGrowth(100_000);
