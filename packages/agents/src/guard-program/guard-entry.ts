// Run by an agent before each call: `guard-entry <agent> <definition>`, the call on stdin. Loads the rest from the compile cache.
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { PROGRAM_FOLDER } from '@roost/core/process/program-files';

const DENIED = 2;

// Beside the program, private to this user.
const compiled = `${PROGRAM_FOLDER}/.runtime/compile-cache`;
if (existsSync(compiled)) enableCompileCache(compiled);
import('./judge-input.ts').catch(() => process.exit(DENIED));
