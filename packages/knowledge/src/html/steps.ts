/** Work that yields again and again, so that its caller may pause. */
export type Steps<T> = Generator<undefined, T>;
