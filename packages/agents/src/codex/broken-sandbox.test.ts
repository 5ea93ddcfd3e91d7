import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { expect, it } from 'vitest';
import { findBrokenSandbox } from './codex-kind.ts';

it.each([
	['is the version that breaks Codex', 'echo bubblewrap 0.8.0', true],
	['is another version', 'echo bubblewrap 0.11.0', false],
	['does not run', 'exit 7', false],
])('reports bubblewrap on the PATH only if it is the broken version (%s: %s)', async (_, script, isBroken) => {
	await using temp = await createTempDir();
	const path = join(temp.path, 'bwrap');
	writeFileSync(path, `#!/bin/sh\n${script}\n`);
	chmodSync(path, 0o755);
	const says = `${path} is bubblewrap 0.8.0, with which every sandboxed command of Codex fails`;
	const remedy = 'Install a newer bubblewrap, or remove this one: Codex brings its own.';
	expect(await findBrokenSandbox({ PATH: temp.path })).toEqual(isBroken ? { says, remedy } : null);
});

it('reports nothing if there is no bubblewrap on the PATH', async () => {
	await using temp = await createTempDir();
	expect(await findBrokenSandbox({ PATH: temp.path })).toBeNull();
});
