// Loaded before the demo when it sits for its pictures: the same morning, the same user and the same folder each time.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

const MORNING = Date.UTC(2026, 9, 12, 9, 41);
/** Coarse, so that a busy machine does not show in what things took. */
const TICK_MS = 100;

const { userInfo } = os;
Object.assign(os, { userInfo: () => ({ ...userInfo(), username: 'ada' }) });
Object.assign(fs, { mkdtempSync: (prefix: string) => fs.mkdirSync(`${prefix}pictures`, { recursive: true, mode: 0o700 }) });
syncBuiltinESMExports();

const begun = performance.now();
Date.now = () => MORNING + Math.round((performance.now() - begun) / TICK_MS) * TICK_MS;
