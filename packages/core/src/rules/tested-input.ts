// The input of a call that is tested against the rules, as a person types it.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { parseJson } from '../display/parse-json.ts';
import { isFields } from '../display/tools/fields.ts';

/** For Bash the command is enough. */
export function parseTestedInput(tool: string, text: string): Result<Record<string, unknown>> {
	if (tool === 'Bash' && text !== '' && !text.startsWith('{')) return ok({ command: text });
	const input = parseJson(text);
	if (isFields(input)) return ok({ ...input });
	const takes = 'Write the input as a JSON object, such as {"file_path": "src/main.ts"}; for Bash the command is enough.';
	return err(new AppError('usage', takes));
}
