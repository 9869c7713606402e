export { fileRoutes } from "./file.routes.ts";
export {
  createFileService,
  createFileSweeper,
  type FileLimit,
  type FilePlace,
  type FileService,
  type NewFile,
  toFileName,
  toMediaType,
  type VisitorFileLimits,
} from "./file.service.ts";
