// The field of a form that the user has just opened.

/** As a ref: stable, so that it is called only when the field appears. */
export function focusOnce(field: HTMLElement | null): void {
	field?.focus();
}
