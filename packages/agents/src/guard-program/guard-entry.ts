// Run by an agent before each call: `guard-entry <agent> <definition>`, the call on stdin. Loads the rest from compiled code.
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { PROGRAM_FOLDER } from '@roost/core/process/program-files';

const DENIED = 2;

// Beside the program, and made by `roost` for this user alone.
const compiled = `${PROGRAM_FOLDER}/.runtime/compile-cache`;
if (existsSync(compiled)) enableCompileCache(compiled);
import('./judge-input.ts').catch(() => process.exit(DENIED));
