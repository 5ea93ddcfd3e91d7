// Faulty programs in place of a driven Copilot.
import { describeFailures } from '../conformance/failures.contract.ts';
import { createCopilotAgent } from './copilot-agent.ts';

const ANSWERS = (version: string) => `
import { createInterface } from 'node:readline';
const answers = {
	initialize: { protocolVersion: 1, agentInfo: { name: 'Copilot', version: '${version}' }, agentCapabilities: {}, authMethods: [] },
	'session/new': { sessionId: 's' },
};
createInterface({ input: process.stdin }).on('line', (line) => {
	const { id, method } = JSON.parse(line);
	if (method === 'session/prompt') whenPrompted();
	else if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] ?? {} }) + '\\n');
});`;

describeFailures({
	title: 'Copilot',
	open: ({ env, ...deps }) => createCopilotAgent({ ...deps, env: () => env }),
	pretender: ANSWERS('1.0.102'),
	tooOld: ANSWERS('1.0.101'),
	reportsGarbage: true,
	says: {
		missing: /^Copilot could not be started: .*ENOENT/,
		another: /^Copilot ended by itself \(exit code 0\)\.$/,
		'too old': /^Copilot 1\.0\.101 is too old: update it to 1\.0\.102 or newer \(copilot update\)\.$/,
		crashes: /^Copilot ended by itself \(exit code 7\)\. It said: cannot open the database$/,
		garbage: /^Copilot does not speak the Agent Client Protocol here: "%%%"\.$/,
		hangs: /^Copilot did not become ready\.$/,
		'ends in mid-turn': /^Copilot ended by itself \(exit code 7\)\. It said: Killed by a bug$/,
	},
});
