// Reads an option whose value is a JSON object, or says in one sentence what it takes.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

export function parseObject(text: string, takes: string): Result<Record<string, unknown>> {
	try {
		const value: unknown = JSON.parse(text);
		if (typeof value === 'object' && value !== null && !Array.isArray(value)) return ok({ ...value });
	} catch {
		// Said below, in the same words as for other JSON that is no object.
	}
	return err(new AppError('usage', takes));
}
