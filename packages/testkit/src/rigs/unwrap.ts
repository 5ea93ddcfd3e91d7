// For code that knows the outcome of a result, such as tests: the other outcome is thrown.
import type { AppError } from '@roost/protocol/app-error';
import type { Result } from '@roost/protocol/result';

export function unwrap<T>(result: Result<T>): T {
	if (!result.ok) throw result.error;
	return result.value;
}

export function unwrapError(result: Result<unknown>): AppError {
	if (result.ok) throw new Error('expected a failure, and it succeeded');
	return result.error;
}
