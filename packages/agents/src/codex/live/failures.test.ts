// Faulty programs in place of a driven Codex.
import { join } from 'node:path';
import { FORWARDER } from '@roost/testkit/rigs/agents/observed-launch';
import { describeFailures } from '../../conformance/failures.contract.ts';
import { createCodexAgent } from './codex-setup.ts';

/** Answers each request by its method. */
const ANSWERS = (version: string) => `
import { createInterface } from 'node:readline';
const command = JSON.parse(/command=("(?:[^"\\\\]|\\\\.)*")/.exec(process.argv.find((arg) => arg.startsWith('hooks.PreToolUse=')))[1]);
const hook = { key: 'k', eventName: 'preToolUse', command, currentHash: 'h', trustStatus: 'trusted', enabled: true };
const answers = {
	initialize: { userAgent: 'roost/${version} (Linux)' },
	'hooks/list': { data: [{ hooks: [hook] }] },
	'config/read': { config: {} },
	'thread/start': { thread: { id: 't' }, model: 'm', approvalPolicy: 'untrusted' },
};
createInterface({ input: process.stdin }).on('line', (line) => {
	const { id, method } = JSON.parse(line);
	if (method === 'turn/start') whenPrompted();
	else if (id !== undefined) process.stdout.write(JSON.stringify({ id, result: answers[method] }) + '\\n');
});`;

describeFailures({
	title: 'Codex',
	open: ({ env, dir, ...deps }) =>
		createCodexAgent({ ...deps, env: () => env, runDir: join(dir, 'run'), forwarder: FORWARDER, version: '0.0.0' }),
	pretender: ANSWERS('0.166.0'),
	tooOld: ANSWERS('0.99.1'),
	reportsGarbage: true,
	says: {
		missing: /^Codex could not be started .*check that "\/nowhere\/at-all" is there, or set "agents\.codex\.command"/,
		another: /^Codex ended with exit code 0\.$/,
		'too old': /^Codex 0\.99\.1 is too old to be driven: update it to 0\.166\.0 or later\.$/,
		crashes: /^Codex ended with exit code 7: cannot open the database$/,
		garbage: /^Codex writes nothing that Roost understands: check that "agents\.codex\.command" is Codex\.$/,
		hangs: /does not answer like Codex: check "agents\.codex\.command" \(no answer to initialize within 20 s\)$/,
		'ends in mid-turn': /^Codex ended with exit code 7: Killed by a bug$/,
	},
});
