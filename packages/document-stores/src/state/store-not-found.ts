import { WeftError } from "@weft/schema";

export function storeNotFound(id: string): WeftError {
  return new WeftError("not-found", { params: { resource: "document store", id } });
}

export function loaderNotFound(id: string): WeftError {
  return new WeftError("not-found", { params: { resource: "loader", id } });
}

export function chunkNotFound(id: string): WeftError {
  return new WeftError("not-found", { params: { resource: "chunk", id } });
}
