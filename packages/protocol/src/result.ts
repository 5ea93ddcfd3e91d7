// Expected failures are values, so that callers have to handle them.
import type { AppError } from './app-error.ts';

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: AppError };

export function ok<T>(value: T): Result<T> {
	return { ok: true, value };
}

export function err(error: AppError): Result<never> {
	return { ok: false, error };
}
