import { testGrowth } from './growth.support.js';

testGrowth(2_000);
