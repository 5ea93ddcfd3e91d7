// Claude under the proof of its guard: a scripted model (Anthropic Messages), and settings that point at it.
import { readFile } from 'node:fs/promises';
import { CANARY_COMMAND } from '@roost/core/guards/canary-command';
import { deployFile } from '../base/deploy-file.ts';
import { isJsonObject, type JsonObject } from '../base/json-object.ts';
import type { CanaryAgent, ModelAnswer, ModelCall } from '../guards/canary.ts';

const CALL_ID = 'toolu_roost_canary';

export const claudeCanary: CanaryAgent = {
	answer(call) {
		if (call.method !== 'POST' || !isJsonObject(call.body)) return null;
		if (call.path === '/v1/messages/count_tokens') return json({ input_tokens: 1 });
		if (call.path !== '/v1/messages') return null;
		const asks = hasShell(call.body) && findOutcome(call) === null;
		return toMessage(call.body, asks ? { type: 'tool_use', id: CALL_ID, name: 'Bash' } : { type: 'text' });
	},
	outcome: findOutcome,
	async launch({ modelUrl, deployed, stateDir }) {
		const settings = await toCanarySettings(deployed.argv, modelUrl);
		return {
			args: [
				'--settings',
				deployFile(stateDir, settings, 'claude-canary.json'),
				'--strict-mcp-config',
				'--no-session-persistence',
				'--permission-mode',
				'manual',
				'-p',
				'Go on.',
			],
			env: modelEnvironment(modelUrl),
		};
	},
};

/** The deployed settings with the model's address on top, because a user or a repository may set another. */
async function toCanarySettings(argv: readonly string[], modelUrl: string): Promise<JsonObject> {
	const path = argv[argv.indexOf('--settings') + 1] ?? '';
	const settings: unknown = JSON.parse(await readFile(path, 'utf8'));
	if (!isJsonObject(settings)) throw new Error(`${path} holds no settings`);
	const own = isJsonObject(settings.env) ? settings.env : {};
	return { ...settings, env: { ...own, ...modelEnvironment(modelUrl) } };
}

/** A dummy key, no other model, no telemetry. */
function modelEnvironment(modelUrl: string): Record<string, string> {
	return {
		ANTHROPIC_BASE_URL: modelUrl,
		ANTHROPIC_API_KEY: 'roost-canary',
		ANTHROPIC_AUTH_TOKEN: '',
		CLAUDE_CODE_USE_BEDROCK: '0',
		CLAUDE_CODE_USE_VERTEX: '0',
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
		DISABLE_TELEMETRY: '1',
		DISABLE_AUTOUPDATER: '1',
		NO_PROXY: '127.0.0.1',
		no_proxy: '127.0.0.1',
	};
}

function hasShell({ tools }: JsonObject): boolean {
	return Array.isArray(tools) && tools.some((tool) => isJsonObject(tool) && tool.name === 'Bash');
}

function findOutcome({ body }: ModelCall): string | null {
	const messages = isJsonObject(body) && Array.isArray(body.messages) ? body.messages : [];
	for (const message of messages) {
		const content = isJsonObject(message) && Array.isArray(message.content) ? message.content : [];
		const result = content.find((block) => isJsonObject(block) && block.type === 'tool_result' && block.tool_use_id === CALL_ID);
		if (isJsonObject(result)) return typeof result.content === 'string' ? result.content : blockText(result.content);
	}
	return null;
}

function blockText(content: unknown): string {
	const blocks = Array.isArray(content) ? content : [];
	return blocks.map((block) => (isJsonObject(block) && typeof block.text === 'string' ? block.text : '')).join('\n');
}

type Block = { type: 'text' } | { type: 'tool_use'; id: string; name: string };

function toMessage(request: JsonObject, block: Block): ModelAnswer {
	const input = { command: CANARY_COMMAND, description: 'Show that the guard is there' };
	const message = { id: 'msg_roost_canary', type: 'message', role: 'assistant', model: request.model, stop_sequence: null };
	const stop_reason = block.type === 'text' ? 'end_turn' : 'tool_use';
	const usage = { input_tokens: 1, output_tokens: 1 };
	if (request.stream !== true) {
		const content = block.type === 'text' ? { type: 'text', text: 'Done.' } : { ...block, input };
		return json({ ...message, content: [content], stop_reason, usage });
	}
	const start = block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} };
	const delta =
		block.type === 'text'
			? { type: 'text_delta', text: 'Done.' }
			: { type: 'input_json_delta', partial_json: JSON.stringify(input) };
	const events = [
		{ type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
		{ type: 'content_block_start', index: 0, content_block: start },
		{ type: 'content_block_delta', index: 0, delta },
		{ type: 'content_block_stop', index: 0 },
		{ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
		{ type: 'message_stop' },
	];
	const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
	return { contentType: 'text/event-stream', body };
}

function json(value: object): ModelAnswer {
	return { contentType: 'application/json', body: JSON.stringify(value) };
}
