import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf } from '@roost/agents/hooks/hook-targets';
import { createInstalledProjects } from '@roost/home/installed-projects';
import { ensurePrivateDirectory } from '@roost/machine/private-directory';
import { createMemoryStore } from '@roost/store/memory-store';
import { openHookRig } from '@roost/testkit/rigs/agents/hook-rig';
import { createTestEngine, createTestProjects } from '@roost/testkit/rigs/runner/test-engine';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { createInstalledSessions } from './installed-sessions.ts';

describe('session of a project with installed hooks', () => {
	it('is recorded with its project, and continues when it starts again', async () => {
		await using world = await openWorld('a');
		await world.report('a', 'n1', 'SessionStart', join(world.root, 'a'));
		await world.report('a', 'n2', 'SessionStart', join(world.root, 'a', 'deep'));
		await world.report('a', 'n1', 'SessionEnd', join(world.root, 'a'));
		await world.report('a', 'n1', 'SessionStart', join(world.root, 'a'));
		expect((await world.rows()).map(({ projectPath, nativeIds }) => [projectPath, nativeIds.map(({ id }) => id)])).toEqual(
			expect.arrayContaining([
				[join(world.root, 'a'), ['n1']],
				[join(world.root, 'a'), ['n2']],
			]),
		);
		expect(await world.rows()).toHaveLength(2);
		expect(world.log).toEqual([]);
	});

	it('stays the same if it starts again before its end is stored', async () => {
		await using world = await openWorld('a');
		const cwd = join(world.root, 'a');
		const { append } = world.store;
		const freed = Promise.withResolvers<void>();
		world.store.append = async (request) => {
			await freed.promise;
			return await append(request);
		};
		for (const hook of ['SessionStart', 'SessionEnd', 'SessionStart']) await world.report('a', 'n1', hook, cwd);
		freed.resolve();
		expect(await world.rows()).toMatchObject([{ nativeIds: [{ id: 'n1' }] }]);
	});

	it('may start in another worktree of the repository', async () => {
		await using world = await openWorld('a');
		const other = join(world.root, 'worktree');
		execFileSync('git', ['-C', join(world.root, 'a'), 'worktree', 'add', '-q', other]);
		await world.report('a', 'n1', 'SessionStart', other);
		expect(await world.rows()).toMatchObject([{ projectPath: join(world.root, 'a') }]);
	});

	it('may leave the project directory once it is known, even if only from the record', async () => {
		await using world = await openWorld('a');
		await world.report('a', 'n1', 'SessionStart', join(world.root, 'a'));
		await world.report('a', 'n1', 'CwdChanged', world.root);
		await world.report('a', 'n1', 'SessionEnd', world.root);
		// From here on it is known only from the record.
		expect(await world.rows()).toHaveLength(1);
		await world.report('a', 'n1', 'Notification', world.root);
		expect(await world.rows()).toHaveLength(1);
		expect(world.log).toEqual([]);
	});

	it.each([
		['in the directory of another project', 'b'],
		['in a sibling directory with the same prefix', 'a-and-more'],
		['in the parent directory', '.'],
		['nowhere', 'not-there'],
	])('is not recorded if it started %s', async (_where, cwd) => {
		await using world = await openWorld('a', 'b', 'a-and-more');
		await world.report('a', 'n1', 'SessionStart', join(world.root, cwd));
		await world.report('a', 'n1', 'UserPromptSubmit', join(world.root, 'a'));
		expect(await world.rows()).toEqual([]);
		expect(world.log).toEqual([expect.stringContaining('left off the record')]);
	});

	it('rejects reports with the secret of another project', async () => {
		await using world = await openWorld('a', 'b');
		await world.report('b', 'n1', 'SessionStart', join(world.root, 'b'));
		const [before] = await world.rows();
		await world.report('a', 'n1', 'UserPromptSubmit', join(world.root, 'a'));
		expect(await world.rows()).toEqual([before]);
		expect(world.log).toHaveLength(1);
	});

	it('is ignored if a launch already reports it', async () => {
		await using world = await openWorld('a');
		world.launched.add('n1');
		await world.report('a', 'n1', 'SessionStart', join(world.root, 'a'));
		expect(await world.rows()).toEqual([]);
		expect(world.log).toEqual([]);
	});

	it('is accepted while its project is installed, without a restart', async () => {
		await using world = await openWorld('a');
		const path = join(world.root, 'a');
		world.projects.remove({ path, agent: 'claude' });
		expect(await world.report('a', 'n1', 'SessionStart', path)).toMatchObject({ error: { code: 'unauthorized' } });
		world.install('a');
		expect(await world.report('a', 'n1', 'SessionStart', path)).toMatchObject({ payload: { action: 'passthrough' } });
		world.projects.remove({ path, agent: 'claude' });
		expect(await world.report('a', 'n1', 'Stop', path)).toMatchObject({ error: { code: 'unauthorized' } });
		expect(await world.rows()).toHaveLength(1);
	});
});

/** Repositories with installed hooks, each with the secret `secret-of-<name>`, and the hook server of a runner. */
async function openWorld(...names: readonly string[]) {
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	const root = realpathSync(temp.path);
	const store = stack.use(createMemoryStore());
	const engine = stack.use(createTestEngine({ store, summarise: async () => [] }));
	const projects = createInstalledProjects(unwrap(ensurePrivateDirectory(join(root, 'hooks'))));
	const launched = new Set<string>();
	const log: string[] = [];
	const sessions = stack.use(
		createInstalledSessions({
			engine,
			installed: projects,
			identify: createTestProjects(store).identify,
			isLaunched: (nativeId) => launched.has(nativeId),
			now: Date.now,
			log: (sentence) => log.push(sentence),
		}),
	);
	const rig = stack.use(await openHookRig());
	rig.server.serveProjects(sessions.findProject);
	const client = stack.use(await rig.connect());
	const install = (name: string) => {
		const path = join(root, name);
		unwrap(projects.add(digestOf(`secret-of-${name}`), { path, agent: 'claude' }));
	};
	for (const name of names) {
		mkdirSync(join(root, name, 'deep'), { recursive: true });
		commitNothing(join(root, name));
		install(name);
	}
	let requests = 0;
	const owned = stack.move();
	return {
		root,
		store,
		projects,
		launched,
		log,
		install,
		async report(project: string, nativeId: string, hookName: string, cwd: string) {
			const envelope = rig.envelope(`r${++requests}`, hookName, { cwd, source: 'startup', prompt: 'x' });
			client.send({ ...envelope, secret: `secret-of-${project}`, session_id: nativeId });
			return await client.next();
		},
		async rows() {
			await sessions[Symbol.asyncDispose]();
			await engine.settled();
			return unwrap(store.sessions());
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

function commitNothing(path: string): void {
	const git = ['-C', path, '-c', 'user.name=x', '-c', 'user.email=x@example.org'];
	execFileSync('git', [...git, 'init', '-q']);
	execFileSync('git', [...git, 'commit', '-q', '--allow-empty', '-m', 'x']);
}
