/** Names of many countries, the most frequent first. */

export const firstNames =
  `Maria Anna Thomas Michael Peter Sofia Julia Andreas Ali José Laura Daniel Wei Elena Martin Mohamed Eva Paul Sara David
Jan Ana Stefan Emma Lukas Carlos Fatima Alexander Katarzyna Juan Marie Christian Olga Luca Hans Ivan Nina Jean Zoë
Priya Markus Isabel Ahmed Jürgen Irina Marco Agnieszka François Sandra Robert Claire Li Björn Lena Antonio Mehmet Tomasz
Sophie Pedro Aleksandra Pierre Monika Giulia Ömer Matthias Yuki Nikolai Céline Frank Ayşe Chiara Rafael Dmitri Hannah
Karl Amira Piotr Lucía Oliver Svetlana João Ingrid Omar Simone Radosław Petra Diego Anja Hiroshi Camille Ralf Alice
Milan Beatriz Günter Leila Tobias Victoria Søren Min Philipp Rosa Johannes Élodie Patrick Natalia Giovanni Ursula Rahul
Mateusz Birgit Hugo Zeynep Felix Nadia Matteo Astrid Vladimir Chloé Kurt Inês Hamza Gabriele Erik Yasmin Simon Małgorzata
André Helga Tim Noémie Sergei Renate Luis Tatiana Uwe Aisha Dominik Mónica Jakob Louise Arjun Dorota Fabian Giorgia Håkan
Kateřina Max Paula Abdul Verena Mikołaj Åsa Leon Ewa Rui Heike Florian Irene Miguel Jana Youssef Carla Bernd Oksana Noah
Mei Joachim Alba Gustav Elif Sebastian Raquel Vincent Silke Igor Marta Emil Francesca Klaus Bianca Adrián Sigrid Kenji
Valentina Jonas Hélène Marek Daniela Timo Saskia Andrzej Nicole Oscar Ludmila Raúl Greta Ravi Ilse Théo Vera Werner Dilara
Ignacio Malin Bartosz Rebecca Dieter Sakura Nils Esther Gilles Magdalena Pavel Ida Samuel Cristina Anton Melanie Ibrahim
Quentin Wiebke Xavier Ottilie Viktor Zofia`.split(/\s+/);

export const lastNames =
  `Müller García Schmidt Nguyen Silva Kowalski Rossi Ivanov Martin Wang Weber Fernández Nowak Hansen Dubois Yılmaz Fischer
Santos Kumar Meyer Bianchi López Andersson Petrov Wagner Smith Bernard Becker Chen Novák Schulz Martínez Khan Hoffmann
Jensen Ferrari Wiśniewski Schäfer Popov Thomas Koch Pereira Tanaka Bauer Sánchez Johansson Moreau Richter Kaya Klein Singh
Russo Wolf Larsen Pérez Schröder Costa Petit Wójcik Neumann Ali Schwarz Romano Zimmermann Gómez Li Braun Nilsson Krüger
Robert Demir Hofmann Oliveira Hartmann Horváth Lange Jones Werner Díaz Schmitz Kamiński Krause Esposito Meier Suzuki Lehmann
Laurent Ruiz Schmid Svoboda Schulze Maier Rodrigues Köhler Simon Herrmann Olsen König Hernández Walter Zhang Mayer Fuchs
Lewandowski Huber Colombo Kaiser Michel Peters Şahin Lang Scholz Smirnov Möller Álvarez Weiß Lefèvre Jung Karlsson Hahn
Sato Schubert Torres Vogel Zieliński Friedrich Ricci Keller Brown Günther Almeida Frank Nagy Berger Leroy Winkler Domínguez
Roth Christensen Beck Szymański Lorenz Marino Baumann Gupta Franke Kim Albrecht Vázquez Schuster Roux Simon Eriksson Ludwig
Çelik Böhm Greco Winter Dvořák Kraus Ramos Martins Taylor Schumacher Woźniak Krämer Kovács Vogt Gonçalves Stein David Jäger
Gil Otto Bruno Sommer Yamamoto Groß Rasmussen Seidel Fontaine Heinrich Dąbrowski Brandt Blanco Haas Patel Schreiber Gallo
Graf Aydın Dietrich Conti Ziegler Molina Kuhn Pettersson Kühn Girard Pohl Kozłowski Engel Suárez Horn Bonnet Busch De Luca
Bergmann Tóth Pfeiffer Mancini Voigt Jankowski Sauer Ortega Arnold Dupont Wolff Østergaard Zhao Lindberg Quinn Öztürk`
    .split(/\s+/)
    .filter((name) => name.length > 2);

/** Any three make a surname. */
export const surnameParts =
  `schmi ber man kow ler ga wei fer ro sen ri bau hof bran ka mar ste vo ki lang ho ne dor ta schu mei zo pe li bach
tei go hal wal ru no fre ven cas mo thal ham bru del per za ford rin sto win ul kra che dro eck fal gil hen jo knu lan mun
nor ost pol`.split(/\s+/);
