import { Wrench } from "lucide-react";
import classes from "./tools.module.css";

/** A tool's own picture on its colour, or a wrench. Pictures of other sites are not fetched. */
export function ToolPicture({ color, iconSrc }: { color: string; iconSrc: string | null }) {
  const isOwn = iconSrc?.startsWith("data:image/") ?? false;
  return (
    <span className={classes.picture} style={{ backgroundColor: color }}>
      {isOwn ? (
        <img src={iconSrc ?? ""} alt="" width={20} height={20} />
      ) : (
        <Wrench size={16} color="#fff" aria-hidden />
      )}
    </span>
  );
}
