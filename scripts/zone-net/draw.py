"""Draws lines of machine-readable zones as photographs show them, by a seed. Used by train.py."""

import io
import json
import subprocess
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from scipy import ndimage

# The characters in the order of MRZ_ALPHABET, which is that of the classes of the net.
ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<"
FILLER = ALPHABET.index("<")
# Pixels from one character of a strip to the next, and rows of a strip.
PITCH, HEIGHT = 16, 32
# Pitch at which glyphs are drawn, and the rows and columns of a glyph.
DRAWN, CELL = 32, (64, 48)
FONTS = ("OCRB", "OCRBL", "OCRBE", "OCRBF", "OCRBS", "OCRBX")
GLYPHS = Path(__file__).parents[2] / "test/support/printed-glyphs.ts"
# Part of the lines that are drawn in the font of strokes.
OF_STROKES = 0.2
MARGIN = 2


def font_glyphs(path: Path, thickness: int) -> np.ndarray:
    """Returns the glyphs of a font file, whose strokes are thickened by some pixels."""
    size = 40
    size = round(2 * size * DRAWN / ImageFont.truetype(path, size).getlength("0"))
    font = ImageFont.truetype(path, size)
    _, top, _, bottom = font.getbbox("H")
    glyphs = []
    for character in ALPHABET:
        image = Image.new("L", (CELL[1] * 2, CELL[0] * 2), 0)
        place = (CELL[1] - font.getlength(character) / 2, CELL[0] - (top + bottom) / 2)
        ImageDraw.Draw(image).text(place, character, font=font, fill=255, stroke_width=thickness)
        glyphs.append(shrunk(image))
    return np.stack(glyphs)


def stroke_glyphs(strokes: dict, half: float) -> np.ndarray:
    """Returns the glyphs of the font of strokes, whose strokes have a half width in pitches."""
    pitch = DRAWN * 4
    glyphs = []
    for character in ALPHABET:
        image = Image.new("L", (CELL[1] * 4, CELL[0] * 4), 0)
        pen = ImageDraw.Draw(image)
        for stroke in strokes[character]:
            points = [
                (CELL[1] * 2 + (x - 2) * 0.6 * pitch / 4, CELL[0] * 2 + (y - 3) * 0.95 * pitch / 6) for x, y in stroke
            ]
            pen.line(points, fill=255, width=max(1, int(half * 2 * pitch)), joint="curve")
            round_end = half * pitch
            for x, y in points:
                pen.ellipse((x - round_end, y - round_end, x + round_end, y + round_end), fill=255)
        glyphs.append(shrunk(image))
    return np.stack(glyphs)


def shrunk(image: Image.Image) -> np.ndarray:
    return np.asarray(image.resize((CELL[1], CELL[0]), Image.BOX), np.float32) / 255


def read_strokes() -> dict:
    """Returns the font of strokes that the tests draw with: polylines for each character."""
    program = f"import({json.dumps(str(GLYPHS))}).then(m => console.log(JSON.stringify(Object.fromEntries(m.STROKES))))"
    return json.loads(subprocess.run(["node", "-e", program], check=True, capture_output=True, text=True).stdout)


class Printer:
    """Draws strips in the fonts of a folder and in the font of strokes."""

    def __init__(self, fonts: Path) -> None:
        drawn = [font_glyphs(fonts / f"{name}.otf", thickness) for name in FONTS for thickness in range(4)]
        # Two of the fonts are white on black.
        self.printed = [glyphs for glyphs in drawn if glyphs[FILLER].mean() < 0.35]
        strokes = read_strokes()
        self.strokes = [stroke_glyphs(strokes, half) for half in (0.045, 0.06, 0.08)]

    def strip(self, r: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Returns a strip, the places of the centres of its characters, and their classes."""
        fonts = self.strokes if r.random() < OF_STROKES else self.printed
        text = random_text(r, int(r.integers(24, 46)))
        ink = worn(r, printed(r, fonts[r.integers(0, len(fonts))], text))
        resolution = r.uniform(5.5, 9) if r.random() < 0.3 else r.uniform(9, 18)
        image, scale = photographed(r, ink, resolution)
        width = image.shape[1]
        image = paper(r, image)
        if r.random() < 0.6:
            image = compressed(r, image, resolution)
        centres = ((MARGIN + np.arange(len(text)) + 0.5) * DRAWN - ink.shape[1] / 2) / scale + width / 2
        return normalised(image).astype(np.float32), centres, text


def random_text(r: np.random.Generator, count: int) -> np.ndarray:
    """Returns classes of characters: any, names, numbers, or any with a run of fillers."""
    kind = r.random()
    if kind < 0.35:
        return r.integers(0, 37, count)
    if kind < 0.55:
        name = r.integers(10, 36, count)
        name[r.random(count) < 0.12] = FILLER
        return name
    if kind < 0.75:
        return r.integers(0, 10, count)
    text = r.integers(0, 36, count)
    first = r.integers(0, count)
    text[first : first + r.integers(2, count)] = FILLER
    return text


def printed(r: np.random.Generator, glyphs: np.ndarray, text: np.ndarray) -> np.ndarray:
    """Prints a line in the middle of a canvas, mostly with lines above and below it."""
    canvas = np.zeros((4 * DRAWN + CELL[0], (len(text) + 2 * MARGIN) * DRAWN), np.float32)
    middle = canvas.shape[0] // 2
    gap = int(DRAWN * r.uniform(1.55, 2.4))
    rows = [(text, middle)]
    rows += [(random_text(r, len(text)), middle + side * gap) for side in (-1, 1) if r.random() < 0.6]
    for line, row in rows:
        top, bottom = row - CELL[0] // 2, row + CELL[0] // 2
        if top < 0 or bottom > canvas.shape[0]:
            continue
        for index, character in enumerate(line):
            left = int((MARGIN + index + 0.5) * DRAWN - CELL[1] / 2)
            cell = canvas[top:bottom, left : left + CELL[1]]
            np.maximum(cell, glyphs[character], out=cell)
    return canvas


def worn(r: np.random.Generator, ink: np.ndarray) -> np.ndarray:
    """Makes strokes thicker, thinner or patchy."""
    if r.random() < 0.25:
        ink = ndimage.grey_dilation(ink, (2, 2)) if r.random() < 0.6 else ndimage.grey_erosion(ink, (2, 2))
    if r.random() < 0.25:
        patches = ndimage.gaussian_filter(r.standard_normal(ink.shape).astype(np.float32), r.uniform(1, 4))
        ink = ink * np.clip(1 - r.uniform(0, 1.2) * np.maximum(0, patches / patches.std() - 0.5), 0, 1)
    return ink


def photographed(r: np.random.Generator, ink: np.ndarray, resolution: float) -> tuple[np.ndarray, float]:
    """Maps the canvas into a strip: stretched, tilted, bent, shifted and blurred. Returns the scale across, too."""
    scale = DRAWN / PITCH * r.uniform(0.9, 1.11)
    down = DRAWN / PITCH * r.uniform(0.78, 1.25)
    angle, shear = np.deg2rad(r.normal(0, 0.5)), r.normal(0, 0.06)
    shift, bow = r.normal(0, 1.6), r.normal(0, 0.8)
    width = int(ink.shape[1] / scale) // 2 * 2
    y, x = np.mgrid[0:HEIGHT, 0:width].astype(np.float32)
    u = (x - width / 2 + 0.5) * scale
    v = (y - HEIGHT / 2 + 0.5 + shift) * down + 2 * bow * (2 * u / ink.shape[1]) ** 2
    across = ink.shape[1] / 2 + u + shear * v - 0.5
    along = ink.shape[0] // 2 + v + np.tan(angle) * u - 0.5
    blur = max(0.3, 0.45 * DRAWN / resolution) * r.uniform(0.8, 1.35)
    soft = ndimage.gaussian_filter(ink, (blur, blur * r.uniform(0.8, 1.3)))
    return ndimage.map_coordinates(soft, [along, across], order=1, mode="constant"), scale


def paper(r: np.random.Generator, ink: np.ndarray) -> np.ndarray:
    """Puts ink on paper with shadows, waves and grain, under reflections and with the noise of a camera."""
    y, x = np.mgrid[0 : ink.shape[0], 0 : ink.shape[1]].astype(np.float32)
    sheet = np.ones(ink.shape, np.float32)
    if r.random() < 0.8:
        shadow = ndimage.gaussian_filter(r.standard_normal(ink.shape), (r.uniform(3, 14), r.uniform(6, 60)))
        sheet += r.uniform(0, 0.25) * shadow / (shadow.std() + 1e-6)
    if r.random() < 0.45:
        angle, frequency = r.uniform(0, np.pi), r.uniform(0.25, 1.4)
        bend = r.uniform(0, 4) * np.sin(x * r.uniform(0.02, 0.2))
        wave = np.sin(frequency * (x * np.cos(angle) + y * np.sin(angle)) + bend)
        sheet -= r.uniform(0, 0.3) * np.maximum(0, wave) ** r.uniform(1, 4)
    if r.random() < 0.15:
        grain = ndimage.gaussian_filter(r.standard_normal(ink.shape), r.uniform(0.6, 1.5))
        sheet += r.uniform(0, 0.2) * grain / grain.std()
    image = sheet * (1 - r.uniform(0.35, 1) * np.clip(ink, 0, 1))
    if r.random() < 0.1:
        at = (x - r.uniform(0, ink.shape[1]) + (y - HEIGHT / 2) * r.uniform(-1, 1)) / r.uniform(10, 60)
        image += r.uniform(-0.35, 0.5) * np.exp(-(at**2))
    return image + r.normal(0, r.uniform(0, 0.07), image.shape)


def compressed(r: np.random.Generator, image: np.ndarray, resolution: float) -> np.ndarray:
    """Stores the image as a JPEG of about the resolution of the photograph, and opens it again."""
    darkest, brightest = r.uniform(0, 70), r.uniform(120, 255)
    pixels = np.clip(darkest + (brightest - darkest) * image / 1.2, 0, 255).astype(np.uint8)
    scale = min(1.0, resolution / PITCH * r.uniform(1, 1.6))
    size = (max(8, int(image.shape[1] * scale)), max(8, int(HEIGHT * scale)))
    stored = io.BytesIO()
    Image.fromarray(pixels).resize(size, Image.BILINEAR).save(stored, "JPEG", quality=int(r.integers(12, 92)))
    return np.asarray(Image.open(stored).resize((image.shape[1], HEIGHT), Image.BICUBIC), np.float32) / 255


def normalised(image: np.ndarray) -> np.ndarray:
    """Gives the middle of a strip the mean 0 and the deviation 1, as the reader does (server/verification/reader)."""
    middle = image[HEIGHT // 4 : HEIGHT * 3 // 4]
    return (image - middle.mean()) / (middle.std() + 1e-3)
