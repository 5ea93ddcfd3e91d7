import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePrivateDirectory } from '@roost/machine/private-directory';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { findStartProblem, startFilePath, writeStartFile } from './installed-setup.ts';

describe('start file of installed hooks', () => {
	it('keeps the environment of the user, without agent variables and other secrets', async () => {
		await using world = await openHome();
		const env = {
			PATH: '/bin',
			XDG_DATA_HOME: '/d',
			ROOST_HOME: '/h',
			ROOST_SESSION: 's',
			ROOST_HOOK_SECRET: 'x',
			GH_TOKEN: 'y',
		};
		unwrap(writeStartFile(world.home, [process.execPath, 'up'], env));
		const path = startFilePath(world.home);
		expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
			argv: [process.execPath, 'up'],
			env: { PATH: '/bin', XDG_DATA_HOME: '/d', ROOST_HOME: '/h' },
			cwd: world.home.data,
			log: join(world.home.data, 'runner.log'),
		});
		expect(statSync(path).mode & 0o777).toBe(0o600);
		expect(findStartProblem(world.home)).toBeNull();
	});

	it('is reported if missing, unreadable, or naming a missing program', async () => {
		await using world = await openHome();
		expect(findStartProblem(world.home)).toContain('missing or unreadable');
		writeFileSync(startFilePath(world.home), '{"argv":[]', { mode: 0o600 });
		expect(findStartProblem(world.home)).toContain('missing or unreadable');
		const program = join(world.home.data, 'node');
		writeFileSync(program, '');
		unwrap(writeStartFile(world.home, [process.execPath, program, 'up'], {}));
		expect(findStartProblem(world.home)).toBeNull();
		rmSync(program);
		expect(findStartProblem(world.home)).toContain(`${program}, which starts the runner`);
	});
});

async function openHome() {
	const temp = await createTempDir();
	const home = { data: temp.path };
	unwrap(ensurePrivateDirectory(join(temp.path, 'hooks')));
	return { home, [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose]() };
}
