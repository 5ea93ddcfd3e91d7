// Faulty programs in place of a driven Claude.
import { describeFailures } from '../../conformance/failures.contract.ts';
import { createClaudeAgent } from './open-claude-agent.ts';

/** `honours`: whether the program confirms to the SDK that it supports blocking hooks. */
const ANSWERS = (honours: boolean) => `
import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
	const { type, request_id } = JSON.parse(line);
	if (type === 'user') return whenPrompted();
	const response = { commands: [], models: [], account: {}, hook_on_failure_supported: ${honours} };
	process.stdout.write(JSON.stringify({ type: 'control_response', response: { subtype: 'success', request_id, response } }) + '\\n');
});`;

describeFailures({
	title: 'Claude',
	open: ({ env, dir, ...deps }) =>
		createClaudeAgent({
			...deps,
			env: () => env,
			privateDir: dir,
			readSurroundings: async () => ({ instructions: '', mcpServers: {}, leftOut: [] }),
		}),
	pretender: ANSWERS(true),
	tooOld: ANSWERS(false),
	// The SDK reads the lines, and drops invalid ones silently.
	reportsGarbage: false,
	says: {
		missing: /^Claude could not be started \(\/nowhere\/at-all is not there\): check that "agents\.claude\.command" is Claude\.$/,
		another: /^Claude ended before it was ready: check that "agents\.claude\.command" is Claude\.$/,
		'too old': /Update Claude Code if it is old/,
		crashes: /^Claude ended: cannot open the database\. \(.*code 7/,
		garbage: /^Claude did not become ready: check that "agents\.claude\.command" is Claude\.$/,
		hangs: /^Claude did not become ready: check/,
		'ends in mid-turn': /^Claude ended: Killed by a bug\. \(.*code 7/,
	},
});
