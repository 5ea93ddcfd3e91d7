// The prompt of a run: what was typed, or what comes in on standard input.
import { MOST_PROMPT } from '@roost/protocol/api/driving';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

type Input = AsyncIterable<Uint8Array | string> & { isTTY?: boolean };

export async function readPrompt(given: string | undefined, stdin: Input): Promise<Result<string>> {
	if (given === undefined && stdin.isTTY) {
		return err(new AppError('usage', 'Missing prompt. Example: roost run "explain this repository".'));
	}
	const read = given === undefined || given === '-' ? await readAll(stdin) : ok(given);
	if (!read.ok) return read;
	// A file ends with a newline that nobody means.
	const prompt = read.value.replace(/\s+$/, '');
	if (prompt.trim() === '') return err(new AppError('usage', 'The prompt is empty. Write what the agent should do.'));
	return prompt.length > MOST_PROMPT ? err(tooLong()) : ok(prompt);
}

/** No more than could be a prompt, however much there is. */
async function readAll(stdin: Input): Promise<Result<string>> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	try {
		for await (const chunk of stdin) {
			chunks.push(Buffer.from(chunk));
			bytes += chunk.length;
			if (bytes > MOST_BYTES) return err(tooLong());
		}
	} catch (cause) {
		return err(new AppError('usage', 'The prompt could not be read from standard input: give it as an argument.', { cause }));
	}
	return ok(Buffer.concat(chunks).toString('utf8'));
}

/** No character takes more than three bytes for each of its units. */
const MOST_BYTES = 4 * MOST_PROMPT;

function tooLong(): AppError {
	const most = MOST_PROMPT.toLocaleString('en');
	return new AppError(
		'usage',
		`The prompt is longer than ${most} characters. Write it to a file and name the file in the prompt.`,
	);
}
