// Expected failures are values: a caller cannot forget that a thing may fail.
import type { AppError } from './app-error.ts';

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: AppError };

export function ok<T>(value: T): Result<T> {
	return { ok: true, value };
}

export function err(error: AppError): Result<never> {
	return { ok: false, error };
}
