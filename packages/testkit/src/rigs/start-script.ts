// A node program that runs until it is ended, with signal handlers of the test's choice.
import { readIdentity } from '@roost/machine/process-identity';
import { startProgram } from './program.ts';
import { waitFor } from './wait-for.ts';

export async function startScript(handlers: string) {
	const script = `const alive = setInterval(() => {}, 1e6); ${handlers} process.stdout.write('up');`;
	const program = await startProgram([process.execPath, '--eval', script], { cwd: '/', env: {} });
	await waitFor(() => program.output().stdout || undefined, { what: 'the program', seen: program.output });
	const identity = readIdentity(program.pid);
	if (!identity) throw new Error('the program lives');
	return { ...program, identity };
}
