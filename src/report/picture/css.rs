//! Colours of pictures, and the rules that apply them.

use std::fmt::Write as _;
use std::sync::LazyLock;

/// A colour: its name in rules, and its values on light and on dark backgrounds.
type Color = (&'static str, &'static str, &'static str);

/// All colours. Those of the sorts are from the palette of Okabe and Ito, darker or lighter for contrast.
const COLORS: &[Color] = &[
    ("paper", "#ffffff", "#14171a"),
    ("ink", "#1a1a1a", "#eeeeee"),
    ("muted", "#55606d", "#a4afbb"),
    ("line", "#999999", "#777777"),
    ("box", "#f7f7f7", "#22272c"),
    ("chip", "#ffffff", "#2c333a"),
    ("chip-line", "#d6dbe1", "#454e58"),
    ("edge", "#555555", "#bbbbbb"),
    ("added", "#006b3c", "#5fd68f"),
    ("added-soft", "#e3f4e9", "#15291f"),
    ("removed", "#b00020", "#ff8a8a"),
    ("removed-soft", "#fff5f5", "#2d1a1b"),
    ("changed", "#7a4200", "#ffbf66"),
    ("changed-soft", "#fdf1d8", "#33290f"),
    ("false", "#6a4c93", "#c9a9f0"),
    ("false-soft", "#f6f1fc", "#281f35"),
    ("accent", "#0b57d0", "#8ab4f8"),
    ("accent-soft", "#e3edfd", "#1a2a45"),
    ("tag", "#b3261e", "#ff9389"),
    ("tag-ink", "#ffffff", "#2a0a08"),
    ("sort-0", "#0072b2", "#56b4e9"),
    ("sort-1", "#b35900", "#e69f00"),
    ("sort-2", "#007a5a", "#2fc49a"),
    ("sort-3", "#a0467c", "#e0a0c8"),
    ("sort-4", "#666666", "#aaaaaa"),
];

/// Rules, with `$name` for colours.
const RULES: &str = "\
.scene text{fill:$ink}
.scene .paper{fill:$paper}
.scene .panel{stroke:$line}
.scene .muted{fill:$muted}
.scene .remark{fill:$changed}
.scene .frame{fill:$box}
.scene .sort-0>.frame{stroke:$sort-0}
.scene .sort-1>.frame{stroke:$sort-1}
.scene .sort-2>.frame{stroke:$sort-2}
.scene .sort-3>.frame{stroke:$sort-3}
.scene .sort-4>.frame{stroke:$sort-4}
.scene .cross{stroke:$line}
.scene .gone>.name text{fill:$muted}
.scene .grid{stroke:$chip-line}
.scene .placement path{stroke:$line}
.scene .placement text{fill:$muted}
.scene .arrow{stroke:$edge}
.scene .arrow.ring{stroke:$line}
.scene .name>.chip{fill:transparent}
.scene .fact>.chip{fill:$chip;stroke:$chip-line}
.scene .fact>.edge{stroke:$edge}
.scene .dot{fill:$ink}
.scene .gap{fill:$line}
.scene .mark-added>.chip{fill:$added-soft;stroke:$added}
.scene .mark-added>text{fill:$added}
.scene .mark-added>.edge,.scene .arrow.added{stroke:$added}
.scene .mark-removed>.chip{fill:$removed-soft;stroke:$removed}
.scene .mark-removed>text{fill:$removed}
.scene .mark-removed>.edge,.scene .arrow.removed{stroke:$removed}
.scene .mark-changed>.chip{fill:$changed-soft;stroke:$changed}
.scene .mark-changed>text{fill:$changed}
.scene .mark-changed>.edge,.scene .arrow.changed{stroke:$changed}
.scene .mark-false>.chip{fill:$false-soft;stroke:$false}
.scene .mark-false>text{fill:$false}
.scene .mark-false>.edge,.scene .arrow.false{stroke:$false}
.scene .witness>.frame{stroke:$tag}
.scene .tag>rect{fill:$tag}
.scene .tag>text{fill:$tag-ink}
.scene [role=button]{cursor:pointer;outline:none}
.scene [role=button]:focus-visible>.chip{stroke:$accent;stroke-width:2.5}
.scene [role=button]:hover>.chip{stroke:$accent}
";

/// Returns the value of a colour on light backgrounds; `none` for an unknown one.
pub(super) fn color(name: &str) -> &'static str {
    COLORS.iter().find(|(other, ..)| *other == name).map_or("none", |(_, light, _)| light)
}

/// Returns the style sheet of pictures, for light and dark backgrounds: files have it inside, and a page that embeds
/// the pictures of [`super::svg_panel`] needs it once. The background follows the reader's setting, or the attribute
/// `data-theme` (`light` or `dark`) of an element around the picture.
pub fn page_css() -> &'static str {
    static CSS: LazyLock<String> = LazyLock::new(|| {
        let variables = |choose: fn(&Color) -> &'static str| -> String {
            COLORS.iter().fold(String::new(), |mut text, color| {
                let _ = write!(text, "--scene-{}:{};", color.0, choose(color));
                text
            })
        };
        let (light, dark) = (variables(|color| color.1), variables(|color| color.2));
        let mut css = format!(
            ".scene{{{light}}}\n@media (prefers-color-scheme:dark){{.scene{{{dark}}}}}\n\
             [data-theme=light] .scene{{{light}}}\n[data-theme=dark] .scene{{{dark}}}\n"
        );
        let mut parts = RULES.split('$');
        css.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let end = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(part.len());
            let _ = write!(css, "var(--scene-{}){}", &part[..end], &part[end..]);
        }
        css
    });
    &CSS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_of_a_rule_is_known() {
        for part in page_css().split("var(--scene-").skip(1) {
            let name = part.split(')').next().expect("a name");
            assert_ne!(color(name), "none", "{name}");
        }
    }
}
