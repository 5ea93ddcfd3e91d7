import { startTestGateway, type TestGateway } from '@roost/testkit/rigs/test-gateway';
import { describe, expect, it } from 'vitest';

const prompt = (rig: TestGateway, commandId: string, text: string, session = 's1') =>
	rig.post(`/api/v1/sessions/${session}/messages`, { commandId, text });

const queueOf = async (rig: TestGateway) => JSON.parse((await rig.call({ path: '/api/v1/sessions/s1/queue' })).body);

describe('driving sessions over HTTP', () => {
	it('starts one, once for each command', async () => {
		await using rig = await startTestGateway();
		const body = { commandId: 'c1', projectId: '/project', agent: 'mock', prompt: 'go' };
		const first = await rig.post('/api/v1/sessions', body);
		expect([first.status, JSON.parse(first.body)]).toEqual([201, { sessionId: 'driven-1' }]);
		expect((await rig.post('/api/v1/sessions', body)).body).toBe(first.body);
		expect(JSON.parse((await rig.post('/api/v1/sessions', { ...body, commandId: 'c2' })).body)).toEqual({
			sessionId: 'driven-2',
		});
	});

	it('takes a prompt of 1 MiB whatever its characters, and says how long a body may be', async () => {
		await using rig = await startTestGateway();
		// Six bytes each, as JSON writes it.
		const longest = '\u0001'.repeat(1024 * 1024 - 1);
		expect((await prompt(rig, 'c1', `${longest}x`)).status).toBe(200);
		expect((await prompt(rig, 'c1', `${longest}x`)).status).toBe(200);
		expect((await prompt(rig, 'c1', `${longest}y`)).status).toBe(409);
		expect((await prompt(rig, 'c2', `${longest}xx`)).status).toBe(400);
		expect(await queueOf(rig)).toMatchObject([{ text: `${longest}x` }]);
		const refused = await rig.post('/api/v1/sessions/s1/fork', { commandId: 'c3', upTo: longest });
		expect([refused.status, JSON.parse(refused.body).message]).toEqual([
			413,
			'The body is too large: send at most 1048576 bytes.',
		]);
	});

	it('goes on with a past session, named by the id of its agent', async () => {
		await using rig = await startTestGateway();
		const body = { commandId: 'c1', projectId: '/project', agent: 'mock' };
		const resume = (nativeId: string) => rig.post('/api/v1/sessions', { ...body, resume: { nativeId } });
		const refused = await resume('../x');
		expect([refused.status, JSON.parse(refused.body).message]).toEqual([400, expect.stringContaining('resume.nativeId')]);
		expect((await resume('5f0c8f7e-0000-4000-8000-000000000001')).status).toBe(201);
	});

	it('lists the agents that can be started, and what each can do', async () => {
		await using rig = await startTestGateway();
		const listed = await rig.call({ path: '/api/v1/agents' });
		const mock = { id: 'mock', takesPrompts: true, canResume: true, canInterrupt: true };
		expect([listed.status, JSON.parse(listed.body)]).toMatchObject([200, [mock]]);
	});

	it('says whether a session takes prompts, and why not', async () => {
		await using rig = await startTestGateway();
		await rig.world.append('s1', 1);
		await rig.world.append('seen', 1);
		const drivingOf = async (id: string) => JSON.parse((await rig.call({ path: `/api/v1/sessions/${id}` })).body).driving;
		expect(await drivingOf('s1')).toEqual({ takesPrompts: true });
		expect(await drivingOf('seen')).toEqual({ takesPrompts: false, why: 'This session is only observed.' });
	});

	it('says what the agent of a session does, and who says so', async () => {
		await using rig = await startTestGateway();
		await rig.world.append('s1', 1);
		const { agentStatus, lastEventAt } = JSON.parse((await rig.call({ path: '/api/v1/sessions/s1' })).body);
		expect(agentStatus).toEqual({ status: 'idle', source: 'hooks', asOf: lastEventAt });
	});

	it.each(['messages', 'interrupt', 'resume', 'end'])(
		'answers 409 with the reason where it is only observed: %s',
		async (name) => {
			await using rig = await startTestGateway();
			const text = name === 'messages' ? { text: 'hello' } : {};
			const refused = await rig.post(`/api/v1/sessions/seen/${name}`, { commandId: 'c1', ...text });
			expect(refused.status).toBe(409);
			expect(JSON.parse(refused.body)).toEqual({ code: 'conflict', message: 'This session is only observed.' });
		},
	);

	it('branches off once for each command', async () => {
		await using rig = await startTestGateway();
		const fork = async (commandId: string) => (await rig.post('/api/v1/sessions/s1/fork', { commandId })).body;
		const first = await fork('c1');
		expect(await fork('c1')).toBe(first);
		expect(await fork('c2')).not.toBe(first);
	});

	it.each([
		['5f0c8f7e-0000-4000-8000-000000000001', 200],
		['0a1b2c3d', 200],
		['not an id', 400],
		['', 400],
		['x'.repeat(65), 400],
	])('branches off at a message by its id, of whatever kind its agent gives them: %s', async (upTo, status) => {
		await using rig = await startTestGateway();
		expect((await rig.post('/api/v1/sessions/s1/fork', { commandId: 'c1', upTo })).status).toBe(status);
	});

	it('refuses an id that was used for something else', async () => {
		await using rig = await startTestGateway();
		expect((await prompt(rig, 'c1', 'one')).status).toBe(200);
		expect((await prompt(rig, 'c1', 'two')).status).toBe(409);
		expect((await rig.post('/api/v1/sessions/s1/interrupt', { commandId: 'c1' })).status).toBe(409);
		expect(await queueOf(rig)).toMatchObject([{ text: 'one' }]);
	});

	it.each([
		{},
		{ commandId: '', text: 'x' },
		{ commandId: 'c', text: ' \n' },
		{ commandId: 'c', text: 'x'.repeat(1024 * 1024 + 1) },
	])('refuses a prompt that is none', async (body) => {
		await using rig = await startTestGateway();
		expect((await rig.post('/api/v1/sessions/s1/messages', body)).status).toBe(400);
	});
});

describe('prompts that wait, over HTTP', () => {
	it('are listed, changed and taken back; a repeat of each does nothing twice', async () => {
		await using rig = await startTestGateway();
		const { queued } = JSON.parse((await prompt(rig, 'c1', 'one')).body);
		await prompt(rig, 'c1', 'one');
		await prompt(rig, 'c2', 'two');
		const headers = { authorization: 'Bearer test-token-test-token-test-token-', 'content-type': 'application/json' };
		const path = `/api/v1/sessions/s1/queue/${queued.id}`;
		const edit = () => rig.call({ method: 'PATCH', path, headers, body: JSON.stringify({ commandId: 'c3', text: 'ONE' }) });
		expect([(await edit()).status, (await edit()).status]).toEqual([200, 200]);
		expect(await queueOf(rig)).toMatchObject([{ text: 'ONE' }, { text: 'two' }]);
		const cancel = (id: string) => rig.call({ method: 'DELETE', path: `${path}?commandId=${id}` });
		expect([(await cancel('c4')).status, (await cancel('c4')).status]).toEqual([200, 200]);
		expect((await cancel('c5')).status).toBe(404);
		expect(await queueOf(rig)).toMatchObject([{ text: 'two' }]);
	});

	it('are told to everybody who listens, and to whoever comes later', async () => {
		await using rig = await startTestGateway();
		await using early = await rig.open();
		await early.frame('hello');
		await prompt(rig, 'c1', 'one');
		expect(await early.frame('queue')).toMatchObject({ sessionId: 's1', prompts: [{ text: 'one' }] });
		await using late = await rig.open();
		expect(await late.frame('queue')).toMatchObject({ sessionId: 's1', prompts: [{ text: 'one' }] });
	});
});
