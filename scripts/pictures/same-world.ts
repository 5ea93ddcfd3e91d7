// Loaded before the demo for screenshots: the same time, user and folder in every run.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

export const MORNING = Date.UTC(2026, 9, 12, 9, 41);
/** Coarse, so that durations do not depend on the load of the machine. */
const TICK_MS = 100;

const { userInfo } = os;
Object.assign(os, { userInfo: () => ({ ...userInfo(), username: 'ada' }) });
Object.assign(fs, { mkdtempSync: (prefix: string) => fs.mkdirSync(`${prefix}pictures`, { recursive: true, mode: 0o700 }) });
syncBuiltinESMExports();

const begun = performance.now();
Date.now = () => MORNING + Math.round((performance.now() - begun) / TICK_MS) * TICK_MS;
