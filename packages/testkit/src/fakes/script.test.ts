import { expect, it } from 'vitest';
import { startFakeAnthropic } from './anthropic-server.ts';
import { say } from './model-reply.ts';
import { scriptAgents, scriptTurns } from './script.ts';
import { postMessages } from './sse-client.ts';

const asSubagent = (agentId: string) => ({ 'x-claude-code-agent-id': agentId });
const withPrompt = (text: string) => ({ messages: [{ role: 'user', content: text }] });

it('serves each agent its own turns, in any order of calls', async () => {
	const script = scriptAgents({
		main: [[say('main 1')], [say('main 2')]],
		subagents: { 'count files': [[say('count 1')], [say('count 2')]], 'read mail': [[say('mail 1')]] },
	});
	await using fake = await startFakeAnthropic(script);
	const ask = async (prompt: string, headers = {}) =>
		JSON.stringify(await (await postMessages(fake.url, withPrompt(prompt), headers)).json());
	expect(await ask('count files')).toContain('main 1');
	expect(await ask('please count files', asSubagent('a1'))).toContain('count 1');
	expect(await ask('please read mail', asSubagent('a2'))).toContain('mail 1');
	expect(await ask('please count files', asSubagent('a1'))).toContain('count 2');
	expect(await ask('go on')).toContain('main 2');
	expect(await ask('unknown', asSubagent('a3'))).toContain('no turn for a subagent with the prompt \\"unknown\\"');
	expect(fake.requests.map(({ agent, agentId }) => agentId ?? agent)).toEqual(['main', 'a1', 'a2', 'a1', 'main', 'a3']);
});

it('names the call that has no turn', async () => {
	await using fake = await startFakeAnthropic(scriptTurns([say('only')]));
	await postMessages(fake.url, {});
	const response = await postMessages(fake.url, {});
	expect([response.status, await response.text()]).toEqual([
		400,
		expect.stringContaining('no turn for call 2 of the main agent'),
	]);
});

it('accepts a function of the request', async () => {
	await using fake = await startFakeAnthropic(({ lastUserText, toolResults }) => ({
		kind: 'message',
		blocks: [
			say(`${lastUserText}|${toolResults.map(({ toolUseId, isError, text }) => `${toolUseId} ${isError} ${text}`).join()}`),
		],
	}));
	const content = [
		{ type: 'tool_result', tool_use_id: 't1', is_error: true, content: [{ type: 'text', text: 'refused' }] },
		{ type: 'tool_result', tool_use_id: 't2', content: 'fine' },
		{ type: 'text', text: '<system-reminder>be kind</system-reminder>' },
		{ type: 'text', text: 'go on' },
	];
	const messages = [
		{ role: 'user', content: 'start' },
		{ role: 'user', content },
		{ role: 'system', content: 'a note' },
	];
	const response = await postMessages(fake.url, { messages, system: 'rules', tools: [{ name: 'Bash' }] });
	expect(await response.json()).toMatchObject({ content: [{ text: 'go on|t1 true refused,t2 false fine' }] });
	expect(fake.requests[0]).toMatchObject({ firstUserText: 'start', system: 'rules', tools: ['Bash'], stream: false });
});
