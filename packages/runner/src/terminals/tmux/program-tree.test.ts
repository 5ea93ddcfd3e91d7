import { isRunning } from '@roost/testkit/rigs/live-processes';
import { startProgram } from '@roost/testkit/rigs/program';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { expect, it } from 'vitest';
import { type Identity, readIdentity } from '../../life/process-identity.ts';
import { endProgramTree, treeOf } from './program-tree.ts';

it('counts descendants of any depth and what is left in the same terminal session, and nobody else', () => {
	const relations = [
		{ pid: 12, parent: 11, session: 10 },
		{ pid: 11, parent: 10, session: 10 },
		{ pid: 13, parent: 1, session: 10 },
		{ pid: 14, parent: 12, session: 14 },
		{ pid: 20, parent: 1, session: 20 },
	];
	expect([...treeOf(10, relations)].sort()).toEqual([10, 11, 12, 13, 14]);
});

it('ends what does not listen to being asked, and the children it started in sessions of their own', async () => {
	const script = 'trap "" HUP TERM; setsid sh -c \'trap "" HUP TERM; echo $$; sleep 60; sleep 60\' & wait; wait';
	await using stubborn = await startProgram(['sh', '-c', script], { cwd: '/', env: { PATH: process.env.PATH ?? '' } });
	const child = await waitFor(() => Number(stubborn.output().stdout) || undefined, { deadlineMs: 10_000, what: 'the child' });
	await endProgramTree(identify(stubborn.pid), 100);
	expect(await isRunning(stubborn.pid)).toBe(false);
	expect(await isRunning(child)).toBe(false);
});

it('leaves alone who got the same number later', async () => {
	await using other = await startProgram(['sleep', '60'], { cwd: '/', env: { PATH: process.env.PATH ?? '' } });
	await endProgramTree({ pid: other.pid, startTime: 'long ago' }, 100);
	expect(await isRunning(other.pid)).toBe(true);
});

function identify(pid: number): Identity {
	const identity = readIdentity(pid);
	if (!identity) throw new Error(`nobody has the number ${pid}`);
	return identity;
}
